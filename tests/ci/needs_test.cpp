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

}  // namespace
}  // namespace perf::test
