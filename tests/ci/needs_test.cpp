// Workloads with a folder, variables and a preparation of their own, through the real commands.

#include <gtest/gtest.h>
#include <signal.h>

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
    write("docs/other", "0");  // python lists the folder of a script
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
    return row(Json::parse(content_of(path() / "out.json")), "w", metric);
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

TEST(Needs, FindNoChangeWhereServerAndClientAreEqual) {
  Served repository;
  const Json same = repository.row_after("docs/other", "1", 0);
  EXPECT_EQ(same["verdict"], "unchanged");
  if (!nothing_can_be_traced()) {
    EXPECT_EQ(same["basis"], "same program");
  }
  // What only the server reads is an input.
  const Json changed = repository.row_after("mebibytes", "21", 0);
  EXPECT_EQ(changed["verdict"], "unchanged");
  EXPECT_EQ(changed["basis"], "pairs");
}

TEST(Needs, JudgeTheMemoryOfAServerIfAThresholdNamesIt) {
  Served repository(R"({"server_peak_rss": {"threshold": "20%"}})");
  const Json memory = repository.row_after("mebibytes", "60", 1, "server_peak_rss");
  EXPECT_EQ(memory["judged"], true);
  EXPECT_EQ(memory["verdict"], "regressed");
  Served other;
  EXPECT_EQ(other.row_after("mebibytes", "60", 0, "server_peak_rss")["judged"], false);
}

TEST(Needs, JudgeTheTimeOfAServerIfAThresholdNamesIt) {
  Served repository(R"({"server_cpu_time": {"threshold": "50%"}})");
  std::string slower = kServer;  // at least three times the time of all of it
  slower.replace(slower.find("while True"), 0,
                 "while time.process_time() < float(open('seconds').read()): pass\n");
  repository.write("server.py", slower);
  repository.write("seconds", "0.2");
  repository.commit("Use processor time");
  EXPECT_EQ(repository.row_after("seconds", "0.6", 1, "server_cpu_time")["verdict"], "regressed");
}

TEST(Needs, GiveServersToEveryCommand) {
  Served repository;
  repository.row_after("answer", "130", 1);
  const std::string id = Json::parse(content_of(repository.path() / "out.json"))["id"];
  const Outcome shown = repository.perf_compare({"show", id, "--json", "-"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(Json::parse(shown.out)["workloads"][0]["serve"]["ready"], "{port}");
  repository.write("docs/other", "1");
  repository.commit("Change what nobody reads");
  for (const auto& [command, exit_code] : std::vector<std::pair<std::vector<std::string>, int>>{
           {{"collect", "HEAD~1..HEAD"}, 0},
           {{"bisect", "HEAD~2", "HEAD", "-w", "w"}, 1},
           {{"calibrate", "--pairs", "6"}, 0},
           {{"selftest", "--threshold", "20%"}, 1}}) {
    const Outcome outcome = repository.perf_compare(command);
    // Stops do not change what the program claims; a busy machine cannot be slowed down at all.
    const bool is_busy = command.front() == "selftest" && contains(outcome.out, "too busy");
    EXPECT_EQ(outcome.exit_code, is_busy ? 3 : exit_code)
        << command.front() << outcome.out << outcome.err;
    EXPECT_EQ((outcome.out + outcome.err).find("server failed"), std::string::npos) << outcome.err;
  }
}

/// A repository whose server writes its process to $PID_FILE, and would be ready in an hour only.
struct NeverReady : ScratchRepository {
  explicit NeverReady(const std::string& script) {
    write("serve", script, true);
    write("perf-compare.json", R"({"workloads": [{
      "name": "w", "command": ["true"], "format": "process",
      "serve": {"command": ["./serve"], "ready": {"tcp": "{port}"}, "timeout": "60m"}}]})");
    commit("One");
    write("other", "1");
    commit("Two");
  }

  Outcome run_command(const std::vector<std::string>& arguments) const {
    return perf_compare(arguments, {{"PID_FILE", pid_file()}});
  }
  void expect_no_server() const {
    const std::string pid = content_of(pid_file());
    ASSERT_NE(pid, "");
    EXPECT_NE(kill(std::stoi(pid), 0), 0) << "the server is still there";
  }
  std::string pid_file() const { return path().parent_path() / "pid"; }
};

// The server's own supervisor ends it.
TEST(Needs, EndAtOnceIfInterruptedWhileAServerStarts) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"HEAD~1", "HEAD"},
                                                  {"HEAD~1", "HEAD", "--measure", "all"},
                                                  {"selftest"}}) {
    const NeverReady repository(R"sh(#!/bin/sh
echo $$ > "$PID_FILE"
pid=$$
while [ "$(cat /proc/$pid/comm)" != perf-compare ]; do
  read -r _ _ _ pid _ < /proc/$pid/stat
done
kill -INT $pid
exec sleep 3600
)sh");
    const Outcome outcome = repository.run_command(command);
    EXPECT_EQ(outcome.exit_code, 130) << outcome.out << outcome.err;
    repository.expect_no_server();
  }
}

TEST(Needs, LeaveNothingBehindIfTheServerKillsItsSupervisor) {
  const NeverReady repository(R"sh(#!/bin/sh
trap '' TERM
setsid sh -c 'trap "" TERM; echo $$ > "$PID_FILE"; kill -9 $0; sleep 3600' $PPID &
wait
sleep 3600
)sh");
  const Outcome outcome = repository.run_command({"HEAD~1", "HEAD", "--measure", "all"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.err;
  expect_says(outcome.out + outcome.err, "the process supervisor has died");
  repository.expect_no_server();
}

/// Two benchmarks in one process: what the server used belongs to both.
TEST(Needs, GiveServerMetricsToTheWholeProcess) {
  Served repository(R"({"server_peak_rss": {"threshold": "20%"}})");
  std::string several = kClient;
  several.replace(several.find("with open"), std::string::npos, R"(
with open(os.environ['PERF_COMPARE_OUT'], 'w') as out:
    for name in ('one', 'two'):
        print(json.dumps({'type': 'begin', 'protocol': 1, 'workload': name, 'params': {}}), file=out)
        for i in range(int(os.environ['PERF_COMPARE_STEPS'])):
            print(json.dumps({'type': 'step', 'index': i, 'warmup': False,
                              'seconds': ms / 1000 * random.uniform(0.995, 1.005)}), file=out)
        print(json.dumps({'type': 'end'}), file=out)
)");
  repository.write("client.py", several);
  repository.commit("Time two");
  const Json memory = repository.row_after("mebibytes", "60", 1, "server_peak_rss");
  EXPECT_EQ(memory["judged"], true);
  EXPECT_EQ(memory["verdict"], "regressed");
  const Outcome trend =
      repository.perf_compare({"trend", "--metric", "server_peak_rss", "--json", "-"});
  expect_says(trend.out, "\"workload\":\"w\"");
  EXPECT_EQ(trend.out.find("\"workload\":\"w/one"), std::string::npos) << trend.out;
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
