// Workloads with a folder, variables and a preparation of their own, through the real commands.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/claimed_history.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kCanary = "canary-5f1c";

/// A benchmark in a folder, which reads the file `work` that its preparation makes of `given`; the
/// preparation and the benchmark need a variable.
struct Needing : ScratchRepository {
  Needing() {
    const std::string needs = "[ \"$SECRET\" = canary-5f1c ] || exit 7\n";
    write("sub/bench", "#!/bin/sh\n" + needs + kClaimedBenchmark, true);
    write("sub/prepare", "#!/bin/sh\n" + needs + "cp given work\n", true);
    write("perf-compare.json", R"({"workloads": [{
      "name": "claimed", "command": ["./bench"], "cwd": "sub", "prepare": ["./prepare"],
      "env": {"SECRET": "canary-5f1c", "LEVEL": "3"}}]})");
    for (const char* given : {"100", "101", "130", "131"}) {
      write("sub/given", given);
      oids.push_back(commit(std::string("Take ") + given + " ms"));
    }
  }
  Outcome compare(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--json", "out.json", "--html", "out.html"});
    return perf_compare(arguments);
  }
  Json report() const { return Json::parse(content_of(path() / "out.json")); }

  std::vector<std::string> oids;
};

TEST(Needs, ReachBothSidesOfAComparison) {
  const Needing repository;
  const Outcome outcome = repository.compare({"HEAD~3", "HEAD"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  const Json time = row(repository.report(), "claimed");
  EXPECT_EQ(time["verdict"], "regressed");
  EXPECT_NEAR(time["change"], 0.31, 0.02);
  if (!nothing_can_be_traced()) {
    EXPECT_EQ(time["measured_because"], "sub/given: line 1");
  }
}

TEST(Needs, OfOtherFilesDoNotMatter) {
  if (nothing_can_be_traced()) {
    GTEST_SKIP() << "nothing can be traced here";
  }
  Needing repository;
  repository.write("other", "1");
  repository.commit("Change what nobody reads");
  const Outcome outcome = repository.compare({"HEAD~1", "HEAD"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(row(repository.report(), "claimed")["basis"], "same program") << outcome.out;
}

TEST(Needs, AreKeptByTheStoreAndShownWithoutValues) {
  const Needing repository;
  Outcome outcome = repository.compare({"HEAD~1", "HEAD", "--measure", "all"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  std::string shown = outcome.out + outcome.err + content_of(repository.path() / "out.json") +
                      content_of(repository.path() / "out.html");
  const std::string id = repository.report()["id"];
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"export", "copy.db"}, {"merge", "copy.db", "--db", "other.db"}}) {
    outcome = repository.perf_compare(command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  for (const char* store : {".perf-compare/results.db", "copy.db", "other.db"}) {
    outcome = repository.perf_compare({"show", id, "--db", store, "--json", "-"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    shown += outcome.out;
    const Json workload = Json::parse(outcome.out)["workloads"][0];
    EXPECT_EQ(workload["cwd"], "sub");
    EXPECT_EQ(workload["env"], Json::parse(R"(["LEVEL", "SECRET"])"));
    EXPECT_EQ(workload["prepare"], Json::parse(R"(["./prepare"])"));
  }
  EXPECT_EQ(shown.find(kCanary), std::string::npos);
}

TEST(Needs, FailTheInvocationIfPrepareFails) {
  Needing repository;
  repository.write("sub/prepare", "#!/bin/sh\necho no disk >&2\nexit 3\n", true);
  repository.commit("Break the preparation");
  const Outcome outcome = repository.compare({"HEAD~1", "HEAD"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
  expect_says(outcome.out + outcome.err, "prepare failed: exit status 3");
  expect_says(outcome.out + outcome.err, "no disk");
  EXPECT_EQ((outcome.out + outcome.err).find(kCanary), std::string::npos);
}

TEST(Needs, ReachCollectAndBisect) {
  const Needing repository;
  const Outcome collected = repository.perf_compare({"collect", "HEAD~1..HEAD"});
  EXPECT_EQ(collected.exit_code, 0) << collected.out << collected.err;
  const Outcome found = repository.perf_compare({"bisect", "HEAD~3", "HEAD", "-w", "claimed"});
  EXPECT_EQ(found.exit_code, 1) << found.out << found.err;
  expect_says(found.out, repository.oids[2].substr(0, 7));
}

/// A server that takes time to answer; the benchmark times one answer.
constexpr const char* kServer = R"(
import socket, sys, time
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(('127.0.0.1', int(sys.argv[1])))
s.listen(9)
held = bytearray(int(open('mebibytes').read()) << 20)
while True:
    c, _ = s.accept()
    try:
        c.recv(9)
        c.sendall(open('answer', 'rb').read())
    except OSError:
        pass
    c.close()
)";
/// Claims what the server answers: milliseconds.
constexpr const char* kClient = R"(
import json, os, random, socket, sys
c = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
c.sendall(b'?')
ms = float(c.recv(99))
random.seed(int(os.environ['PERF_COMPARE_SEED']) + os.getpid())
with open(os.environ['PERF_COMPARE_OUT'], 'w') as out:
    print(json.dumps({'type': 'begin', 'protocol': 1, 'workload': 'w', 'params': {}}), file=out)
    for i in range(int(os.environ['PERF_COMPARE_STEPS'])):
        print(json.dumps({'type': 'step', 'index': i, 'warmup': False,
                          'seconds': ms / 1000 * random.uniform(0.995, 1.005)}), file=out)
    print(json.dumps({'type': 'end'}), file=out)
)";

struct Served : ScratchRepository {
  explicit Served(const std::string& metrics = "{}") {
    write("server.py", kServer);
    write("client.py", kClient);
    write("answer", "100");
    write("mebibytes", "20");
    write("perf-compare.json", R"({"workloads": [{
      "name": "w", "command": ["/usr/bin/python3", "client.py", "{port}"],
      "serve": {"command": ["/usr/bin/python3", "server.py", "{port}"], "ready": {"tcp": "{port}"}},
      "metrics": )" + metrics + "}]}");
    commit("Serve");
  }
  Json row_after(const std::string& file, const std::string& content, int exit_code,
                 const std::string& metric = "step_time") {
    write(file, content);
    commit("Change " + file);
    const Outcome outcome = perf_compare({"HEAD~1", "HEAD", "--json", "out.json"});
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.out << outcome.err;
    for (const Json& one : Json::parse(content_of(path() / "out.json"))["comparisons"]) {
      if (one["metric"] == metric) {
        return one;
      }
    }
    return {};
  }
};

TEST(Needs, FindASlowerServer) {
  Served repository;
  const Json time = repository.row_after("answer", "115", 1);
  EXPECT_EQ(time["verdict"], "regressed");
  EXPECT_NEAR(time["change"], 0.15, 0.02);
}

TEST(Needs, FindASlowerClient) {
  Served repository;
  std::string slower = kClient;
  slower.replace(slower.find("float("), 6, "1.15*float(");
  EXPECT_EQ(repository.row_after("client.py", slower, 1)["verdict"], "regressed");
}

TEST(Needs, FindTheSameServedProgram) {
  Served repository;
  EXPECT_EQ(repository.row_after("other", "1", 0)["verdict"], "unchanged");
}

TEST(Needs, JudgeTheMemoryOfAServerIfAThresholdNamesIt) {
  Served repository(R"({"server_peak_rss": {"threshold": "20%"}})");
  const Json memory = repository.row_after("mebibytes", "60", 1, "server_peak_rss");
  EXPECT_EQ(memory["judged"], true);
  EXPECT_EQ(memory["verdict"], "regressed");
  Served other;
  EXPECT_EQ(other.row_after("mebibytes", "60", 0, "server_peak_rss")["judged"], false);
}

TEST(Needs, ShowTheLastLinesOfAServerThatFails) {
  Served repository;
  repository.write("server.py", "import sys; sys.exit('no licence')\n");
  repository.commit("Break the server");
  const Outcome outcome = repository.perf_compare({"HEAD~1", "HEAD"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
  expect_says(outcome.out + outcome.err, "its server failed");
  expect_says(outcome.out + outcome.err, "no licence");
}

}  // namespace
}  // namespace perf::test
