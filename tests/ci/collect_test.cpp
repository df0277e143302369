// `perf-compare collect` as a user runs it, on scratch repositories whose benchmark claims its
// times.

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// What it takes to build a commit: no file `broken`.
const std::string kBuiltConfig = R"({
  "build": { "command": ["sh", "-c", "test ! -e broken || { echo no such header >&2; exit 1; }"] },
  "baselines": { "first": "v0" },
  "workloads": [
    { "name": "claimed", "command": ["./bench"] },
    { "name": "other", "command": ["./bench"] }
  ]
}
)";

/// Commits 0 .. `count` - 1, each of which claims 100 ms and its number in ms; those in `broken` do
/// not build. Commit 0 is tagged v0.
struct Line : ScratchRepository {
  explicit Line(int count, const std::set<int>& broken = {},
                const std::string& benchmark = kClaimedBenchmark) {
    write("bench", benchmark, true);
    write("perf-compare.json", kBuiltConfig);
    for (int i = 0; i < count; ++i) {
      write("work", std::to_string(100 + i));
      if (broken.count(i) > 0) {
        write("broken", "yes");
      } else {
        fs::remove(path() / "broken");
      }
      oids.push_back(commit("Commit " + std::to_string(i)));
      if (i == 0) {
        git({"tag", "v0"});
      }
    }
  }

  Outcome collect(const std::string& what, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"collect", what};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return perf_compare(arguments);
  }

  /// The JSON of a collection that is expected to end with this code.
  Json collected(const std::string& what, std::vector<std::string> more = {},
                 int expected = 0) const {
    more.insert(more.end(), {"--json", "-"});
    const Outcome outcome = collect(what, more);
    EXPECT_EQ(outcome.exit_code, expected) << outcome.err;
    return Json::parse(outcome.out);
  }

  std::string oid(int commit) const { return oids.at(static_cast<std::size_t>(commit)); }

  std::vector<std::string> oids;
};

std::vector<std::string> statuses(const Json& collection) {
  std::vector<std::string> words;
  for (const Json& commit : collection.at("commits")) {
    words.push_back(commit.at("status"));
  }
  return words;
}

/// How many processes ended well at each commit.
std::vector<int> invocations(const Json& collection) {
  std::vector<int> counts;
  for (const Json& commit : collection.at("commits")) {
    counts.push_back(0);
    for (const Json& workload : commit.at("workloads")) {
      counts.back() += workload.at("invocations").get<int>();
    }
  }
  return counts;
}

using Words = std::vector<std::string>;

TEST(Collect, MeasuresARevisionInFreshProcesses) {
  const Line line(2);
  const std::string markdown = (line.path() / "out.md").string();
  const Json json = line.collected("HEAD", {"--markdown", markdown});
  EXPECT_EQ(json["schema"], "perf-compare/collection/1");
  EXPECT_EQ(json["left"], 0);
  EXPECT_EQ(json["go_on"], nullptr);
  ASSERT_EQ(json["commits"].size(), 1U);
  const Json& commit = json["commits"][0];
  EXPECT_EQ(commit["oid"], line.oid(1));
  EXPECT_EQ(commit["subject"], "Commit 1");
  EXPECT_EQ(commit["status"], "measured");
  ASSERT_EQ(commit["workloads"].size(), 2U);
  for (const Json& workload : commit["workloads"]) {
    EXPECT_EQ(workload["invocations"], 5);
    EXPECT_EQ(workload["status"], "measured");
    EXPECT_NEAR(workload["step_time"]["median"].get<double>(), 0.101, 0.001);
    EXPECT_GT(workload["peak_rss"]["median"].get<double>(), 0);
    EXPECT_EQ(workload["change"], nullptr);
  }
  EXPECT_TRUE(contains(read_file(markdown), "Measured")) << read_file(markdown);

  const Outcome text = line.collect("HEAD", {"--pairs", "2", "-w", "claimed"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "Measured: " + line.oid(1).substr(0, 12) + " Commit 1"))
      << text.out;
  EXPECT_TRUE(contains(text.err, "commit 1 of 1 (" + line.oid(1).substr(0, 12) + " Commit 1)"))
      << text.err;
}

TEST(Collect, LeadsPinsAndBaselinesToTheirCommits) {
  const Line line(3);
  ASSERT_EQ(line.perf_compare({"pin", "release", line.oid(1)}).exit_code, 0);
  const std::vector<std::string> short_run{"--pairs", "1", "-w", "claimed"};
  EXPECT_EQ(line.collected("release", short_run)["commits"][0]["oid"], line.oid(1));
  const Json range = line.collected("first..release", short_run);
  ASSERT_EQ(range["commits"].size(), 1U);
  EXPECT_EQ(range["commits"][0]["oid"], line.oid(1));
}

TEST(Collect, RefusesWhatIsNoHistory) {
  const Line line(1);
  for (const char* asked : {".", "v0..."}) {
    EXPECT_EQ(line.collect(asked).exit_code, 2) << asked;
  }
  EXPECT_TRUE(contains(line.collect(".").err, "perf-compare HEAD .")) << line.collect(".").err;
  EXPECT_EQ(line.collect("no_such_name").exit_code, 2);
  EXPECT_EQ(line.collect("v0..no_such_name").exit_code, 2);
  EXPECT_EQ(line.collect("HEAD", {"--pairs", "2:4"}).exit_code, 2);
  const Outcome every = line.collect("HEAD", {"--every", "5"});
  EXPECT_EQ(every.exit_code, 2) << "one revision";
  EXPECT_TRUE(contains(every.err, "collect A..HEAD --every 5")) << every.err;
  EXPECT_EQ(line.collect("HEAD", {"--anchor", "no_such_name"}).exit_code, 2);
  EXPECT_EQ(line.collect("HEAD", {"--anchor", "."}).exit_code, 2);
  const Outcome nothing = line.collect("v0..HEAD");
  EXPECT_EQ(nothing.exit_code, 0) << nothing.err;
  EXPECT_TRUE(contains(nothing.out, "Nothing to measure")) << nothing.out;
}

TEST(Collect, WalksARangeOldestFirst) {
  const Line line(5, {2});
  const Json json = line.collected("v0..main", {"--pairs", "2"});
  EXPECT_EQ(statuses(json), (Words{"measured", "failed", "measured", "measured"}));
  EXPECT_EQ(invocations(json), (std::vector<int>{4, 0, 4, 4}));
  EXPECT_EQ(json["commits"][0]["oid"], line.oid(1));
  EXPECT_TRUE(contains(json["commits"][1]["failure"], "no such header")) << json["commits"][1];
  EXPECT_FALSE(json["commits"][1]["run"].is_null()) << "what failed is recorded";
  for (const int i : {0, 2, 3}) {
    EXPECT_NEAR(json["commits"][static_cast<std::size_t>(i)]["workloads"][0]["step_time"]["median"]
                    .get<double>(),
                0.101 + 0.001 * i, 0.001);
  }
}

TEST(Collect, TakesEveryNthCountedFromTheEnd) {
  const Line line(6);
  const Json json = line.collected("v0..HEAD", {"--every", "2", "--pairs", "1", "-w", "claimed"});
  ASSERT_EQ(json["commits"].size(), 3U);
  EXPECT_EQ(json["commits"][0]["oid"], line.oid(1));
  EXPECT_EQ(json["commits"][1]["oid"], line.oid(3));
  EXPECT_EQ(json["commits"][2]["oid"], line.oid(5));
}

TEST(Collect, MakesUpWhatIsMissing) {
  const Line line(4);
  line.collected(line.oid(2), {"--pairs", "3"});
  line.collected(line.oid(3), {"--pairs", "5", "-w", "claimed"});
  const Json json = line.collected("v0..HEAD", {"--missing"});
  EXPECT_EQ(statuses(json), (Words{"measured", "measured", "measured"}));
  EXPECT_EQ(invocations(json), (std::vector<int>{10, 4, 5}));
  ASSERT_EQ(json["commits"][2]["workloads"].size(), 1U);
  EXPECT_EQ(json["commits"][2]["workloads"][0]["workload"], "other");

  const Json again = line.collected("v0..HEAD", {"--missing"});
  EXPECT_EQ(statuses(again), (Words{"skipped", "skipped", "skipped"}));
  const Outcome text = line.collect("HEAD", {"--missing"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "Nothing to measure")) << text.out;
  const Json anew = line.collected("v0..HEAD", {"--pairs", "1", "-w", "claimed"});
  EXPECT_EQ(invocations(anew), (std::vector<int>{1, 1, 1})) << "without --missing: all of it";
}

TEST(Collect, ASizeOfItsOwnIsAGapOfItsOwn) {
  const Line line(1);
  line.collected("HEAD", {"--pairs", "1"});
  EXPECT_EQ(statuses(line.collected("HEAD", {"--pairs", "1", "--missing"})), (Words{"skipped"}));
  EXPECT_EQ(statuses(line.collected("HEAD", {"--pairs", "1", "--missing", "--size", "smoke"})),
            (Words{"measured"}));
}

TEST(Collect, TriesAgainLastWhatFailedBefore) {
  const Line line(4, {1});
  line.collected("v0.." + line.oid(1), {"--pairs", "1"}, 3);
  const Outcome outcome = line.collect("v0..HEAD", {"--missing", "--pairs", "1", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(statuses(Json::parse(outcome.out)), (Words{"failed", "measured", "measured"}));
  EXPECT_TRUE(contains(outcome.err, "commit 1 of 3 (" + line.oid(2).substr(0, 12))) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "commit 3 of 3 (" + line.oid(1).substr(0, 12))) << outcome.err;
}

TEST(Collect, AFinishedRangeStaysFine) {
  const Line line(3, {1});
  const std::vector<std::string> again{"--missing", "--pairs", "1"};
  line.collected("v0..HEAD", again);
  EXPECT_EQ(statuses(line.collected("v0..HEAD", again)), (Words{"failed", "skipped"}));
}

/// The lines after an interruption are the same for every signal.
void goes_on_after(int signal, int expected_code) {
  const Line line(6);
  const std::vector<std::string> command{
      PERF_BINARY_DIR "/bin/perf-compare", "collect", "v0..HEAD", "--missing", "--pairs", "2"};
  const Outcome stopped = run(command, line.path(), {}, "commit 3 of 5", signal);
  ASSERT_EQ(stopped.exit_code, expected_code) << stopped.err;
  const Outcome outcome = line.collect("v0..HEAD", {"--missing", "--pairs", "2", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  const Words words = statuses(json);
  ASSERT_EQ(words.size(), 5U);
  EXPECT_EQ(words[0], "skipped");
  EXPECT_EQ(words[1], "skipped");
  EXPECT_EQ(words[4], "measured");
  EXPECT_EQ(statuses(line.collected("v0..HEAD", {"--missing", "--pairs", "2"})),
            Words(5, "skipped"))
      << "all of it is there now";
}

TEST(Collect, GoesOnAfterASignal) {
  goes_on_after(SIGINT, 130);
}

TEST(Collect, GoesOnAfterBeingKilled) {
  goes_on_after(SIGKILL, 128 + SIGKILL);
}

TEST(Collect, SaysWhatASignalLeft) {
  const Line line(5);
  const std::vector<std::string> command{PERF_BINARY_DIR "/bin/perf-compare", "collect", "v0..HEAD",
                                         "--pairs", "2"};
  const Outcome stopped = run(command, line.path(), {}, "commit 2 of 4", SIGTERM);
  EXPECT_EQ(stopped.exit_code, 143) << stopped.err;
  EXPECT_TRUE(contains(stopped.out, "interrupted; what was measured is kept")) << stopped.out;
  EXPECT_TRUE(contains(stopped.out, "perf-compare collect v0..HEAD --missing")) << stopped.out;
}

TEST(Collect, StopsAtItsBudgetAndSaysHowToGoOn) {
  const Line line(4);
  const Json json = line.collected("v0..HEAD", {"--budget", "1ms", "--pairs", "2"});
  EXPECT_EQ(json["budget_spent"], true);
  EXPECT_EQ(json["left"], 3) << "the first is not complete";
  EXPECT_EQ(json["go_on"],
            "perf-compare collect v0..HEAD --missing --size ci --budget 0.001s --pairs 2");
  EXPECT_GT(invocations(json)[0], 0);
  const Json rest = line.collected("v0..HEAD", {"--missing", "--pairs", "2"});
  EXPECT_EQ(statuses(rest), (Words{"measured", "measured", "measured"}));
  EXPECT_EQ(invocations(json)[0] + invocations(rest)[0], 4);
}

TEST(Collect, ARevisionThatDoesNotBuildOrRunIsNotMeasured) {
  const Line unbuilt(2, {1});
  const Outcome outcome = unbuilt.collect("HEAD");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "Not measured")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "no such header")) << outcome.out;

  const Line failing(1, {}, "#!/bin/sh\necho no model >&2\nexit 7\n");
  const Json json = failing.collected("HEAD", {}, 3);
  EXPECT_EQ(json["commits"][0]["status"], "failed");
  EXPECT_TRUE(contains(json["commits"][0]["workloads"][0]["failure"], "7"));
}

TEST(Collect, MeasuresInPairsWithAnAnchor) {
  const Line line(4);
  const Json json =
      line.collected("v0..HEAD", {"--anchor", "first", "--pairs", "3", "-w", "claimed"});
  EXPECT_EQ(json["anchor"]["oid"], line.oid(0));
  EXPECT_EQ(json["anchor"]["name"], "first");
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& workload = json["commits"][i]["workloads"][0];
    EXPECT_EQ(workload["pairs"], 3);
    // 1 % a commit; of medians of 8 steps with 1 % noise from end to end.
    EXPECT_NEAR(workload["change"].get<double>(), 0.01 * static_cast<double>(i + 1), 0.006);
  }
  const std::vector<std::string> missing{"--anchor", "first",   "--pairs",  "4",
                                         "-w",       "claimed", "--missing"};
  EXPECT_EQ(invocations(line.collected("v0..HEAD", missing)), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(statuses(line.collected("v0..HEAD", missing)), Words(3, "skipped"));
  EXPECT_EQ(statuses(line.collected("HEAD", {"--pairs", "4", "-w", "claimed", "--missing"})),
            (Words{"skipped"}))
      << "what was measured in pairs was measured";
}

TEST(Collect, MeasuresAloneWhatTheAnchorCannotRun) {
  const Line line(4, {0});
  const Json json =
      line.collected("v0..HEAD", {"--anchor", "first", "--pairs", "2", "-w", "claimed"});
  EXPECT_EQ(statuses(json), (Words{"measured", "measured", "measured"}));
  for (const Json& commit : json["commits"]) {
    EXPECT_EQ(commit["workloads"][0]["invocations"], 2);
    EXPECT_EQ(commit["workloads"][0]["pairs"], 0);
    EXPECT_TRUE(contains(commit["workloads"][0]["failure"], "no such header")) << commit;
  }
  // Only the first visit of a command learns what the anchor cannot run.
  const Json again = line.collected(
      "v0..HEAD", {"--anchor", "first", "--pairs", "2", "-w", "claimed", "--missing"});
  EXPECT_EQ(statuses(again), (Words{"measured", "skipped", "skipped"}));
}

TEST(Collect, ARangeDoesNotFillTheDisk) {
  const Line line(26);
  line.collected("v0..HEAD", {"--pairs", "1", "-w", "claimed"});
  std::size_t builds = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(line.cache() / "perf-compare")) {
    builds += entry.is_directory() ? 1 : 0;
  }
  EXPECT_GT(builds, 0U);
  EXPECT_LE(builds, 21U) << "20 that are kept, and the one that was measured";
}

TEST(Collect, AShallowCloneSaysWhatToFetch) {
  const Line line(4);
  const fs::path clone = line.path().parent_path() / "clone";
  ASSERT_EQ(
      run({"git", "clone", "-q", "--depth", "2", "file://" + line.path().string(), clone.string()},
          line.path())
          .exit_code,
      0);
  const std::vector<std::string> command{PERF_BINARY_DIR "/bin/perf-compare", "collect",
                                         "HEAD~3..HEAD", "--pairs", "1"};
  const Outcome outcome = run(command, clone);
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "fetch")) << outcome.err;
}

}  // namespace
}  // namespace perf::test
