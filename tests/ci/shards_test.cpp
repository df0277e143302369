// One comparison measured in shards, by jobs that share nothing, and joined: real runs of the
// command.

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "schema/store/connection.h"
#include "tests/ci/claimed_history.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

constexpr const char* kShardedConfig = R"({
  "workloads": [
    { "name": "a", "command": ["./bench", "a"] },
    { "name": "b", "command": ["./bench", "b"] },
    { "name": "c", "command": ["./bench", "c"] }
  ],
  "targets": [
    { "name": "b is as fast as a", "of": "b", "over": "a", "at_most": 1.5 },
    { "name": "a is quick", "of": "a", "at_most": "1s" }
  ]
}
)";

/// In three shards: nothing, a and c, b, which is slower at head. Each job is a runner of its own,
/// with its own cache and store.
struct Sharded : ScratchRepository {
  explicit Sharded(const std::string& b_at_head = "130") {
    std::string bench = kClaimedBenchmark;
    bench.replace(bench.find("cat work"), 8, "cat work.$1");
    write("bench", bench, true);
    write("perf-compare.json", kShardedConfig);
    for (const char* workload : {"a", "b", "c"}) {
      write(std::string("work.") + workload, "100");
    }
    commit("Add benchmarks");
    write("work.b", b_at_head);
    commit("Slow b down");
  }

  std::string store(const std::string& name) const {
    return (path().parent_path() / (name + ".db")).string();
  }

  /// One job; `name` is its store's.
  Outcome measure(const std::string& shard, const std::string& name, const Arguments& more = {},
                  std::map<std::string, std::string> variables = {}) const {
    const Arguments arguments = with_more({"HEAD~1", "HEAD", "--metric", "step_time", "--measure",
                                           "all", "--shard", shard, "--db", store(name)},
                                          more);
    variables.emplace("XDG_CACHE_HOME", (path().parent_path() / ("cache-" + name)).string());
    return perf_compare(arguments, variables);
  }

  Outcome join(const Arguments& names, const Arguments& more = {}) const {
    Arguments arguments{"report", "--join"};
    for (const std::string& name : names) {
      arguments.push_back(store(name));
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return perf_compare(arguments);
  }
};

class Shards : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    repository = std::make_unique<Sharded>();
    for (const char* number : {"1", "2", "3"}) {
      const Outcome outcome = repository->measure(std::string(number) + "/3", number,
                                                  {"--json", repository->store(number) + ".json"});
      ASSERT_EQ(outcome.exit_code, 0) << "a shard judges nothing" << outcome.err << outcome.out;
    }
  }
  static void TearDownTestSuite() { repository.reset(); }

  static std::unique_ptr<Sharded> repository;
};
std::unique_ptr<Sharded> Shards::repository;

TEST_F(Shards, JoinIntoOneReport) {
  const Json report = json_of(repository->join({"3", "1", "2"}, {"--json", "-"}), 1);
  EXPECT_EQ(report["schema"], "perf-compare/report/2");
  EXPECT_EQ(report["shard"], nullptr);
  EXPECT_EQ(report["missing_shards"], Json::array());
  EXPECT_EQ(report["judged"], 3);
  EXPECT_EQ(report["summary"]["verdict"], "regressed");
  EXPECT_EQ(report["summary"]["regressed"], 1);
  EXPECT_EQ(report["summary"]["unchanged"], 2);
  EXPECT_EQ(row(report, "b", "step_time")["verdict"], "regressed");
  // Two thirds of alpha for two comparisons, one third for one: as if nobody had cut the plan.
  for (const char* workload : {"a", "b", "c"}) {
    EXPECT_NEAR(row(report, workload, "step_time")["look_alpha"], 0.01 / (3 * 6), 1e-12)
        << workload;
  }
  ASSERT_EQ(report["environments"].size(), 3U);
  EXPECT_EQ(report["environments"][0]["workloads"], Json::array());
  EXPECT_EQ(report["environments"][1]["workloads"], Json({"a", "c"}));
  EXPECT_EQ(report["environments"][2]["shard"], Json({{"number", 3}, {"count", 3}}));
  std::set<std::string> hosts;
  for (const Json& environment : report["environments"]) {
    hosts.insert(environment["host"]);
  }
  EXPECT_EQ(hosts.size(), 3U);
  EXPECT_EQ(report["targets"][0]["met"], true) << "a ratio of two shards, on machines of one kind";
  EXPECT_NEAR(report["targets"][0]["value"], 1.3, 0.02);
  EXPECT_TRUE(
      contains(report["warnings"].dump(), "measured by the shards 3/3 and 2/3, on two hosts"))
      << report["warnings"];
  EXPECT_EQ(report["targets"][1]["met"], true);
}

TEST_F(Shards, SupportEveryFormat) {
  const fs::path folder = repository->path().parent_path() / "formats";
  fs::create_directories(folder);
  const auto file = [&folder](const char* name) { return (folder / name).string(); };
  const Outcome outcome = repository->join(
      {"1", "2", "3"}, {"--markdown", file("r.md"), "--html", file("r.html"), "--junit",
                        file("r.xml"), "--openmetrics", file("r.txt"), "--plots", file("plots")});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_TRUE(
      contains_all(outcome.out, {"Regressed: b is slower", "3 shards on 3 hosts", "2 unchanged"}));
  EXPECT_TRUE(contains(content_of(file("r.md")), "3 shards on 3 hosts"));
  EXPECT_TRUE(contains(content_of(file("r.xml")), "<failure"));
  EXPECT_TRUE(
      contains(content_of(file("r.txt")), "perf_compare_comparisons{verdict=\"unchanged\"} 2"));
  const std::string page = content_of(file("r.html"));
  EXPECT_TRUE(contains(page, "shard 3/3"));
  EXPECT_FALSE(fs::is_empty(file("plots"))) << "raw steps of the shards";
}

TEST_F(Shards, ReportMissingOnes) {
  EXPECT_TRUE(
      ended(repository->join({"1", "2"}), 3, {"Shard missing: 3 of 3", "shard 3/3 is missing"}));
  EXPECT_TRUE(ended(repository->join({"3"}), 1, {"Shards missing: 1, 2 of 3"}))
      << "a regression is one, whatever is missing";
}

TEST_F(Shards, CountOnceIfPassedTwice) {
  fs::copy_file(repository->store("2"), repository->store("copy"));
  EXPECT_EQ(
      repository
          ->perf_compare({"export", repository->store("export"), "--db", repository->store("3")})
          .exit_code,
      0);
  const Json report =
      json_of(repository->join({"1", "2", "copy", "3", "export"}, {"--json", "-"}), 1);
  EXPECT_EQ(report["judged"], 3);
}

TEST_F(Shards, RefuseRepetitions) {
  ASSERT_EQ(
      repository
          ->measure("1/3", "again", {}, {{"GITHUB_ACTIONS", "true"}, {"GITHUB_RUN_ATTEMPT", "2"}})
          .exit_code,
      0);
  const Outcome outcome = repository->join({"1", "2", "3", "again"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_TRUE(contains_all(outcome.err, {"shard 1/3 was measured twice", "again.db", "attempt 1",
                                         "attempt 2", "repeating until it passes proves nothing"}));
}

/// A job that was killed, or stopped, is no second chance.
TEST_F(Shards, AllowAnInterruptedAttempt) {
  Sharded stopped;
  for (const int signal : {SIGKILL, SIGTERM}) {
    EXPECT_TRUE(
        ended(run({PERF_BINARY_DIR "/bin/perf-compare", "HEAD~1", "HEAD", "--metric", "step_time",
                   "--measure", "all", "--shard", "3/3", "-v", "--db", stopped.store("3")},
                  stopped.path(), {}, "b head", signal),
              128 + signal));
  }
  const Json half = json_of(stopped.join({"3"}, {"--json", "-"}), 3);
  EXPECT_EQ(half["missing_shards"], Json({1, 2, 3}));
  EXPECT_EQ(half["interrupted"], true);
  ASSERT_EQ(stopped.measure("3/3", "3").exit_code, 0);
  const Json whole = json_of(stopped.join({"3"}, {"--json", "-"}), 1);
  EXPECT_EQ(whole["missing_shards"], Json({1, 2}));
}

/// What fails in one shard fails the report; where all of it failed, it may be tried again.
TEST_F(Shards, FailTheReportIfOneFails) {
  Sharded failing("100");
  failing.write("bench", "#!/bin/sh\nexit 7\n", true);
  failing.commit("Break it");
  for (const char* attempt : {"first", "second"}) {
    EXPECT_EQ(failing.measure("3/3", "3").exit_code, 3) << attempt;
  }
  const Json report = json_of(failing.join({"3"}, {"--json", "-"}), 3);
  EXPECT_EQ(report["missing_shards"], Json({1, 2})) << "it is there, and has failed";
  EXPECT_EQ(report["summary"]["failed"], 1);
}

TEST_F(Shards, RefuseAnotherPlan) {
  ASSERT_EQ(repository->measure("1/3", "other", {"--threshold", "20%"}).exit_code, 0);
  const Outcome outcome = repository->join({"other", "2", "3"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_TRUE(contains_all(
      outcome.err, {"different plans", "policy: threshold (0.2, 0.1)", "other.db", "2.db"}));
}

/// As far as stores tell, it is said in what plans differ.
TEST_F(Shards, NameTheDifferenceOfPlans) {
  const std::pair<const char*, const char*> changes[] = {
      {"size = 'full'", "size (ci, full)"},
      {"head = base, head_dirty = 1", "head ("},
      {"base = head", "base ("},
      {"tool_version = '0.0.9'", "perf-compare (0.1.0, 0.0.9)"},
      {"shards = 4", "number of shards (3, 4)"},
      {"seed = 1", "--seed (seeds "},
      {"policy = json_set(policy, '$.control', json('true'))", "policy: control (false, true)"}};
  for (const auto& [change, words] : changes) {
    fs::copy_file(repository->store("3"), repository->store("unlike"),
                  fs::copy_options::overwrite_existing);
    {
      store::Connection connection(repository->store("unlike"),
                                   store::Connection::Access::read_write);
      connection.execute("UPDATE run SET plan_digest = '0123456789abcdef', " + std::string(change));
    }
    const Outcome outcome = repository->join({"2", "unlike"});
    EXPECT_EQ(outcome.exit_code, 2) << change << outcome.out;
    for (const std::string& part : {std::string(words), std::string("unlike.db")}) {
      EXPECT_TRUE(contains(outcome.err, part)) << change;
    }
  }
}

/// A runner that keeps its store: the newest plan in a file is meant.
TEST_F(Shards, UseTheNewestPlanOfAFile) {
  ASSERT_EQ(repository->measure("1/3", "kept", {"--threshold", "20%"}).exit_code, 0);
  ASSERT_EQ(repository->measure("1/3", "kept").exit_code, 0);
  EXPECT_EQ(repository->join({"2", "kept", "3"}).exit_code, 1);
  ASSERT_EQ(repository->measure("1/3", "kept", {"--threshold", "30%"}).exit_code, 0);
  EXPECT_TRUE(ended(repository->join({"2", "kept", "3"}), 2, {"policy: threshold (0.1, 0.3)"}));
}

TEST_F(Shards, GiveNoVerdictAlone) {
  const Json report = Json::parse(content_of(repository->store("3") + ".json"));
  EXPECT_EQ(report["shard"], Json({{"number", 3}, {"count", 3}}));
  EXPECT_EQ(report["policy"]["alpha"], 0.01);
  EXPECT_NEAR(report["policy"]["alpha_share"], 1.0 / 3, 1e-12);
  const Outcome again = repository->perf_compare({"report", "--db", repository->store("3")});
  EXPECT_TRUE(ended(again, 0, {"Shard 3/3 has no verdicts of its own"}));
  EXPECT_FALSE(contains(again.out, "not_reproduced"));
  const Outcome listed = repository->perf_compare({"list", "--db", repository->store("3")});
  EXPECT_TRUE(contains(listed.out, "compare 3/3"));
  EXPECT_TRUE(ended(repository->perf_compare({"report", "--db", repository->store("1")}), 0,
                    {"nothing to judge"}));
  const std::string command = report["reproduce"][0];
  EXPECT_TRUE(contains(command, " --shard 3/3 --measure all "));
  EXPECT_TRUE(contains(again.out, "--shard 3/3 --measure"));
}

/// The files are strangers': what no shard of this program writes.
TEST_F(Shards, RefuseForgeries) {
  const std::pair<const char*, const char*> changes[] = {
      {"UPDATE run SET policy = json_set(policy, '$.alpha_share', 0.9)",
       "the plans of two shards differ"},
      {"UPDATE run SET seed = 1", "the plans of two shards differ"},
      {"UPDATE run SET threshold = 0.5, policy = json_set(policy, '$.threshold', 0.5)",
       "the plans of two shards differ"},
      {"UPDATE run SET size = 'full'", "the plans of two shards differ"},
      {"UPDATE run SET shard = 1", "shard 1/3 was measured twice"},
      {"UPDATE run SET plan_digest = '0000000000000000'", "different plans"},
      {"UPDATE run SET shards = 4", "the plans of two shards differ"},
      {"UPDATE run SET shard = NULL, shards = NULL", "no shard of a comparison"}};
  for (const auto& [change, words] : changes) {
    fs::copy_file(repository->store("3"), repository->store("made-up"),
                  fs::copy_options::overwrite_existing);
    {
      store::Connection connection(repository->store("made-up"),
                                   store::Connection::Access::read_write);
      connection.execute(change);
    }
    const Outcome outcome = repository->join({"1", "2", "made-up"});
    EXPECT_GE(outcome.exit_code, 2) << change << outcome.out;
    EXPECT_TRUE(contains(outcome.err, words)) << change;
  }
  // The same workload in two shards.
  fs::copy_file(repository->store("2"), repository->store("made-up"),
                fs::copy_options::overwrite_existing);
  {
    store::Connection connection(repository->store("made-up"),
                                 store::Connection::Access::read_write);
    connection.execute(
        "UPDATE run SET id = 'another', shard = 1, policy = json_set(policy, '$.alpha_share', "
        "0.1)");
  }
  EXPECT_TRUE(contains(repository->join({"2", "made-up"}).err, "the plans of two shards differ"));
}

TEST_F(Shards, DetectTheSameProgram) {
  NEEDS_TRACING();
  const Sharded looked;
  for (const std::string number : {"1", "2", "3"}) {
    const Outcome outcome =
        looked.perf_compare({"HEAD~1", "HEAD", "--metric", "step_time", "--shard", number + "/3",
                             "--db", looked.store(number)});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  const Json report = json_of(looked.join({"1", "2", "3"}, {"--json", "-"}), 1);
  EXPECT_EQ(row(report, "c", "step_time")["basis"], "same program");
  EXPECT_EQ(row(report, "b", "step_time")["verdict"], "regressed");
  const Json a = row(report, "a", "step_time");
  EXPECT_EQ(a["measured_because"], "a target needs its value") << "of which b is another shard's";
  EXPECT_EQ(a["basis"], "same program");
  EXPECT_EQ(report["judged"], 1);
  EXPECT_EQ(report["targets"][0]["met"], true);
}

TEST_F(Shards, AreStrictOnlyTogether) {
  const Sharded brief;
  for (const std::string number : {"1", "2", "3"}) {
    EXPECT_TRUE(ended(brief.measure(number + "/3", number, {"--budget", "1ms", "--control"}), 0));
  }
  EXPECT_EQ(brief.join({"1", "2", "3"}).exit_code, 0);
  const Outcome strict = brief.join({"1", "2", "3"}, {"--strict", "--json", "-"});
  const Json report = json_of(strict, 4);
  EXPECT_EQ(report["summary"]["inconclusive"], 3);
  EXPECT_EQ(report["budget_spent"], true);
  EXPECT_EQ(report["environments"][1]["workloads"], Json({"a", "c"})) << "no control arms";
  EXPECT_EQ(brief.join({"1", "2"}, {"--strict"}).exit_code, 3) << "missing comes first";
}

Outcome merge(const Sharded& repository, const std::string& into, const Arguments& names) {
  Arguments arguments{"merge", "--db", repository.store(into)};
  for (const std::string& name : names) {
    arguments.push_back(repository.store(name));
  }
  return repository.perf_compare(arguments);
}

TEST_F(Shards, CountAsEvidence) {
  ASSERT_EQ(merge(*repository, "merged", {"1", "2", "3"}).exit_code, 0);
  const Json report = repository->json(
      {"judge", "HEAD~1", "HEAD", "--metric", "step_time", "--db", repository->store("merged")}, 1);
  EXPECT_EQ(row(report, "b", "step_time")["verdict"], "regressed");
  EXPECT_EQ(row(report, "c", "step_time")["verdict"], "unchanged");
  EXPECT_EQ(row(report, "c", "step_time")["pairs"], 12);
}

/// Each job collects its part of every commit, and history is read from all of them.
TEST_F(Shards, CollectHistory) {
  const auto collect = [](const std::string& number) {
    std::set<std::string> measured;
    const Json collected =
        repository->json({"collect", "HEAD~1..HEAD", "--missing", "--pairs", "2", "--shard",
                          number + "/3", "--db", repository->store("night-" + number)});
    for (const Json& commit : collected["commits"]) {
      for (const Json& workload : commit["workloads"]) {
        measured.insert(workload["workload"]);
      }
    }
    return measured;
  };
  EXPECT_EQ(collect("1"), std::set<std::string>());
  EXPECT_EQ(collect("2"), (std::set<std::string>{"a", "c"}));
  EXPECT_EQ(collect("2"), std::set<std::string>()) << "nothing of this part is missing";
  EXPECT_EQ(collect("3"), std::set<std::string>{"b"});
  ASSERT_EQ(merge(*repository, "nights", {"night-1", "night-2", "night-3"}).exit_code, 0);
  std::set<std::string> series;
  const Json history = repository->json({"trend", "--db", repository->store("nights")});
  for (const Json& one : history["series"]) {
    series.insert(one["workload"]);
  }
  EXPECT_EQ(series, (std::set<std::string>{"a", "b", "c"}));
  const Outcome listed =
      repository->perf_compare({"list", "--db", repository->store("night-3"), "--json", "-"});
  EXPECT_EQ(Json::parse(listed.out)["runs"][0]["shard"], Json({{"number", 3}, {"count", 3}}));
}

TEST_F(Shards, RefuseInvalidOptions) {
  const std::pair<Arguments, std::string> wrong[] = {
      {{"HEAD", "--shard", "0/3"}, "--shard must have the form I/N"},
      {{"HEAD", "--shard", "4/3"}, "--shard must have the form I/N"},
      {{"HEAD", "--shard", "3"}, "--shard must have the form I/N"},
      {{"HEAD", "--shard", "1/x"}, "--shard must have the form I/N"},
      {{"HEAD", "--shard", "1/2", "--strict"}, "--shard cannot be combined with --strict"},
      {{"HEAD", "--shard", "1/2", "--git-bisect"}, "cannot be combined with --git-bisect"},
      {{"report", "--join", "perf-compare.json"}, "not a perf-compare store"},
      {{"report", "--join", "nowhere.db"}, "no such store"},
      {{"report", "3f2a", "--join", repository->store("1")}, "--join cannot be combined with ID"},
  };
  for (const auto& [arguments, words] : wrong) {
    const Outcome outcome = repository->perf_compare(arguments);
    EXPECT_GE(outcome.exit_code, 2) << outcome.out;
    EXPECT_TRUE(contains(outcome.err, words)) << words;
  }
  ASSERT_EQ(repository
                ->perf_compare({"HEAD~1", "HEAD", "-w", "c", "--pairs", "12", "--db",
                                repository->store("whole")})
                .exit_code,
            0);
  EXPECT_TRUE(ended(repository->join({"1", "whole"}), 2, {"no shard of a comparison in the file"}));
}

}  // namespace
}  // namespace perf::test
