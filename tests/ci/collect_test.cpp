// `perf-compare collect` as a user runs it, on scratch repositories whose benchmark claims its
// times.

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "schema/files/content.h"
#include "schema/store/connection.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// What it takes to build a commit: no file `broken`.
const std::string kCollectedConfig = R"({
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
struct CollectedLine : ScratchRepository {
  explicit CollectedLine(int count, const std::set<int>& broken = {},
                         const std::string& benchmark = kClaimedBenchmark) {
    write("bench", benchmark, true);
    write("perf-compare.json", kCollectedConfig);
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
    return perf_compare(with_more({"collect", what}, more));
  }

  /// The JSON of a collection that is expected to end with this code.
  Json collected(const std::string& what, std::vector<std::string> more = {},
                 int expected = 0) const {
    return json_of(collect(what, with_more(more, {"--json", "-"})), expected);
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
  const CollectedLine line(2);
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
  EXPECT_TRUE(contains(content_of(markdown), "Measured"));
  // Every night is kept: what follows from its samples would take as much room again.
  store::Connection stored(line.path() / ".perf-compare/results.db",
                           store::Connection::Access::read_only);
  EXPECT_EQ(stored.count("SELECT count(*) FROM report WHERE verdict = 'new'"), 1);
  EXPECT_EQ(stored.count("SELECT count(*) FROM comparison"), 0);

  EXPECT_TRUE(ended(line.collect("HEAD", {"--pairs", "2", "-w", "claimed"}), 0,
                    {"Measured: " + line.oid(1).substr(0, 12) + " Commit 1",
                     "commit 1 of 1 (" + line.oid(1).substr(0, 12) + " Commit 1)"}));
}

TEST(Collect, ResolvesPinsAndBaselines) {
  const CollectedLine line(3);
  ASSERT_EQ(line.perf_compare({"pin", "release", line.oid(1)}).exit_code, 0);
  const std::vector<std::string> short_run{"--pairs", "1", "-w", "claimed"};
  EXPECT_EQ(line.collected("release", short_run)["commits"][0]["oid"], line.oid(1));
  const Json range = line.collected("first..release", short_run);
  ASSERT_EQ(range["commits"].size(), 1U);
  EXPECT_EQ(range["commits"][0]["oid"], line.oid(1));
}

TEST(Collect, RefusesTheWorkingTreeAndInvalidRanges) {
  const CollectedLine line(1);
  for (const char* asked : {".", "v0..."}) {
    EXPECT_EQ(line.collect(asked).exit_code, 2) << asked;
  }
  EXPECT_TRUE(contains(line.collect(".").err, "perf-compare HEAD ."));
  EXPECT_EQ(line.collect("no_such_name").exit_code, 2);
  EXPECT_EQ(line.collect("v0..no_such_name").exit_code, 2);
  EXPECT_EQ(line.collect("HEAD", {"--pairs", "2:4"}).exit_code, 2);
  EXPECT_TRUE(ended(line.collect("HEAD", {"--every", "5"}), 2, {"collect A..HEAD --every 5"}))
      << "one revision";
  EXPECT_EQ(line.collect("HEAD", {"--anchor", "no_such_name"}).exit_code, 2);
  EXPECT_EQ(line.collect("HEAD", {"--anchor", "."}).exit_code, 2);
  EXPECT_TRUE(ended(line.collect("v0..HEAD"), 0, {"Nothing to measure"}));
}

TEST(Collect, WalksARangeOldestFirst) {
  const CollectedLine line(5, {2});
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
  const CollectedLine line(6);
  const Json json = line.collected("v0..HEAD", {"--every", "2", "--pairs", "1", "-w", "claimed"});
  ASSERT_EQ(json["commits"].size(), 3U);
  EXPECT_EQ(json["commits"][0]["oid"], line.oid(1));
  EXPECT_EQ(json["commits"][1]["oid"], line.oid(3));
  EXPECT_EQ(json["commits"][2]["oid"], line.oid(5));
}

TEST(Collect, MeasuresWhatIsMissing) {
  const CollectedLine line(4);
  line.collected(line.oid(2), {"--pairs", "3"});
  line.collected(line.oid(3), {"--pairs", "5", "-w", "claimed"});
  const Json json = line.collected("v0..HEAD", {"--missing"});
  EXPECT_EQ(statuses(json), (Words{"measured", "measured", "measured"}));
  EXPECT_EQ(invocations(json), (std::vector<int>{10, 4, 5}));
  ASSERT_EQ(json["commits"][2]["workloads"].size(), 1U);
  EXPECT_EQ(json["commits"][2]["workloads"][0]["workload"], "other");

  const Json again = line.collected("v0..HEAD", {"--missing"});
  EXPECT_EQ(statuses(again), (Words{"skipped", "skipped", "skipped"}));
  EXPECT_TRUE(ended(line.collect("HEAD", {"--missing"}), 0, {"Nothing to measure"}));
  const Json anew = line.collected("v0..HEAD", {"--pairs", "1", "-w", "claimed"});
  EXPECT_EQ(invocations(anew), (std::vector<int>{1, 1, 1})) << "without --missing: all of it";
}

TEST(Collect, MeasuresWhatIsMissingOfEachSize) {
  const CollectedLine line(1);
  line.collected("HEAD", {"--pairs", "1"});
  EXPECT_EQ(statuses(line.collected("HEAD", {"--pairs", "1", "--missing"})), (Words{"skipped"}));
  EXPECT_EQ(statuses(line.collected("HEAD", {"--pairs", "1", "--missing", "--size", "smoke"})),
            (Words{"measured"}));
}

TEST(Collect, RetriesFailedCommitsLast) {
  const CollectedLine line(4, {1});
  line.collected("v0.." + line.oid(1), {"--pairs", "1"}, 3);
  const Outcome outcome = line.collect("v0..HEAD", {"--missing", "--pairs", "1", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(statuses(Json::parse(outcome.out)), (Words{"failed", "measured", "measured"}));
  EXPECT_TRUE(contains(outcome.err, "commit 1 of 3 (" + line.oid(2).substr(0, 12)));
  EXPECT_TRUE(contains(outcome.err, "commit 3 of 3 (" + line.oid(1).substr(0, 12)));
}

TEST(Collect, SucceedsOnAFinishedRange) {
  const CollectedLine line(3, {1});
  const std::vector<std::string> again{"--missing", "--pairs", "1"};
  line.collected("v0..HEAD", again);
  EXPECT_EQ(statuses(line.collected("v0..HEAD", again)), (Words{"failed", "skipped"}));
}

/// The lines after an interruption are the same for every signal.
void goes_on_after(int signal, int expected_code) {
  const CollectedLine line(6);
  const std::vector<std::string> command{
      PERF_BINARY_DIR "/bin/perf-compare", "collect", "v0..HEAD", "--missing", "--pairs", "2"};
  EXPECT_TRUE(ended(run(command, line.path(), {}, "commit 3 of 5", signal), expected_code));
  const Json json =
      json_of(line.collect("v0..HEAD", {"--missing", "--pairs", "2", "--json", "-"}), 0);
  const Words words = statuses(json);
  ASSERT_EQ(words.size(), 5U);
  EXPECT_EQ(words[0], "skipped");
  EXPECT_EQ(words[1], "skipped");
  EXPECT_EQ(words[4], "measured");
  EXPECT_EQ(statuses(line.collected("v0..HEAD", {"--missing", "--pairs", "2"})),
            Words(5, "skipped"))
      << "all of it is there now";
}

TEST(Collect, ContinuesAfterASignal) {
  goes_on_after(SIGINT, 130);
}

TEST(Collect, ContinuesAfterBeingKilled) {
  goes_on_after(SIGKILL, 128 + SIGKILL);
}

TEST(Collect, ReportsWhatASignalLeft) {
  const CollectedLine line(5);
  const std::vector<std::string> command{PERF_BINARY_DIR "/bin/perf-compare", "collect", "v0..HEAD",
                                         "--pairs", "2"};
  EXPECT_TRUE(
      ended(run(command, line.path(), {}, "commit 2 of 4", SIGTERM), 143,
            {"nterrupted; measurements are kept", "perf-compare collect v0..HEAD --missing"}));
}

TEST(Collect, StopsAtItsBudgetAndReportsHowToContinue) {
  const CollectedLine line(4);
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

TEST(Collect, ReportsRevisionsThatDoNotBuildOrRun) {
  const CollectedLine unbuilt(2, {1});
  EXPECT_TRUE(ended(unbuilt.collect("HEAD"), 3, {"Not measured", "no such header"}));

  const CollectedLine failing(1, {}, "#!/bin/sh\necho no model >&2\nexit 7\n");
  const Json json = failing.collected("HEAD", {}, 3);
  EXPECT_EQ(json["commits"][0]["status"], "failed");
  EXPECT_TRUE(contains(json["commits"][0]["workloads"][0]["failure"], "7"));
}

TEST(Collect, MeasuresInPairsWithAnAnchor) {
  const CollectedLine line(4);
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
  const CollectedLine line(4, {0});
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

TEST(Collect, DoesNotFillTheDisk) {
  const CollectedLine line(26);
  line.collected("v0..HEAD", {"--pairs", "1", "-w", "claimed"});
  std::size_t builds = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(line.cache() / "perf-compare")) {
    builds += entry.is_directory() ? 1 : 0;
  }
  EXPECT_GT(builds, 0U);
  EXPECT_LE(builds, 21U) << "20 that are kept, and the one that was measured";
}

TEST(Collect, NamesWhatToFetchInAShallowClone) {
  const CollectedLine line(4);
  const fs::path clone = line.path().parent_path() / "clone";
  ASSERT_EQ(
      run({"git", "clone", "-q", "--depth", "2", "file://" + line.path().string(), clone.string()},
          line.path())
          .exit_code,
      0);
  const std::vector<std::string> command{PERF_BINARY_DIR "/bin/perf-compare", "collect",
                                         "HEAD~3..HEAD", "--pairs", "1"};
  EXPECT_TRUE(ended(run(command, clone), 3, {"fetch"}));
}

// ---- what the commits run

/// Two workloads, each with its program and data in a folder of its own. `levels`: a letter a
/// commit, which is what `claimed` reads; `other` reads one that never changes. Every commit
/// changes a text that nobody reads. Commit 0 is tagged v0.
struct CollectedPrograms : CollectedLine {
  explicit CollectedPrograms(const std::string& levels, const std::string& claimed = kClaimed)
      : CollectedLine(1) {
    write("a/bench", claimed, true);
    write("b/bench2", kOther, true);
    write("b/level", "100");
    write("perf-compare.json", R"({ "workloads": [
      { "name": "claimed", "command": ["sh", "a/bench"] },
      { "name": "other", "command": ["sh", "b/bench2"] } ] })");
    oids.clear();
    git({"tag", "-d", "v0"});
    for (std::size_t i = 0; i < levels.size(); ++i) {
      write("a/work", std::to_string(100 + 10 * (levels[i] - 'a')));
      write("README.md", "Commit " + std::to_string(i));
      oids.push_back(commit("Commit " + std::to_string(i)));
      if (i == 0) {
        git({"tag", "v0"});
      }
    }
  }

  static std::string reading(const std::string& file) {
    std::string text = kClaimedBenchmark;
    return text.replace(text.find("cat work"), 8, "cat " + file);
  }
  static inline const std::string kClaimed = reading("a/work"), kOther = reading("b/level");

  /// What the store knows of a workload's program at each commit.
  Words programs(const std::string& workload) const {
    Words ids;
    for (const std::string& one : oids) {
      const Outcome shown = perf_compare({"show", one, "--json", "-"});
      const Json runs = Json::parse(shown.out).at("runs");
      ids.push_back(runs.empty() ? "no run" : "not looked at");
      if (!runs.empty()) {
        const std::string id = runs[0].at("id");
        const Json run = Json::parse(perf_compare({"show", id, "--json", "-"}).out);
        for (const Json& planned : run.at("workloads")) {
          if (planned.at("name") == workload && !planned.at("trace_record").is_null()) {
            ids.back() = planned["trace_record"]["head_program"];
          }
        }
      }
    }
    return ids;
  }
};

int count(const Words& words, const std::string& word) {
  return static_cast<int>(std::ranges::count(words, word));
}

TEST(CollectPrograms, TracesEveryMeasuredCommit) {
  NEEDS_TRACING();
  const CollectedPrograms line("aabb");
  const Json json = line.collected("v0..HEAD", {"--pairs", "1"});
  EXPECT_EQ(statuses(json), Words(3, "measured")) << "every commit that was asked for";
  EXPECT_EQ(invocations(json), (std::vector<int>{2, 2, 2})) << "looks are no samples";
  const Words claimed = line.programs("claimed"), other = line.programs("other");
  EXPECT_EQ(claimed[0], "no run");
  EXPECT_EQ(claimed[1].size(), 32U);
  EXPECT_NE(claimed[1], claimed[2]);
  EXPECT_EQ(claimed[2], claimed[3]);
  EXPECT_EQ(other[1], other[2]);
  EXPECT_EQ(other[2], other[3]);
  // Another night, another seed: the same programs.
  line.collected(line.oid(0), {"--pairs", "1", "--seed", "77"});
  EXPECT_EQ(line.programs("claimed")[0], claimed[1]);
}

TEST(CollectPrograms, MeasuresEachAtThreeOfItsCommits) {
  NEEDS_TRACING();
  const CollectedPrograms line("aaaaaaaabcccc");  // v0, and 12 after it
  const Words one{"--pairs", "1", "-w", "claimed", "--programs"};
  const Outcome outcome = line.collect("v0..HEAD", one);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(
      contains(outcome.out, "12 commits: 7 measured, 5 run a program measured at three others"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "tracing commit 12 of 12"));
  const Outcome second = line.collect(
      "v0..HEAD", {"--pairs", "1", "-w", "claimed", "--programs", "--missing", "--json", "-"});
  const Words before = statuses(Json::parse(second.out));
  EXPECT_EQ(count(before, "skipped"), 7);
  EXPECT_EQ(count(before, "same program"), 5);
  EXPECT_EQ(before[0], "skipped");
  EXPECT_EQ(before[3], "skipped");
  EXPECT_EQ(before[6], "skipped");
  EXPECT_FALSE(contains(second.err, "tracing commit"));
  // Without --programs every commit is measured that is asked for.
  EXPECT_EQ(
      count(statuses(line.collected("v0..HEAD", {"--pairs", "1", "-w", "claimed", "--missing"})),
            "measured"),
      5);
}

TEST(CollectPrograms, LeavesACommitOutOnlyForAllItsWorkloads) {
  NEEDS_TRACING();
  const CollectedPrograms line("aaabbbccc");  // 8 commits; the other program is one throughout
  const Json json = line.collected("v0..HEAD", {"--pairs", "1", "--programs"});
  EXPECT_EQ(statuses(json), Words(8, "measured"));
  // `other` at three of them, `claimed` at all.
  EXPECT_EQ(invocations(json), (std::vector<int>{2, 1, 1, 2, 1, 1, 1, 2}));
  const Outcome shown = line.perf_compare({"report", json["commits"][1]["run"].get<std::string>()});
  EXPECT_FALSE(contains(shown.out, "other"));
}

TEST(CollectPrograms, ContinuesWithKnownPrograms) {
  NEEDS_TRACING();
  const CollectedPrograms line("aaaaaaaa");
  const Words command{
      PERF_BINARY_DIR "/bin/perf-compare", "collect", "v0..HEAD", "--programs", "--pairs", "1"};
  EXPECT_TRUE(ended(run(command, line.path(), {}, "tracing commit 5 of 7", SIGINT), 130,
                    {"perf-compare collect v0..HEAD --missing --programs"}));
  const Outcome outcome =
      line.collect("v0..HEAD", {"--missing", "--programs", "--pairs", "1", "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "tracing commit 2 of 7"));
  EXPECT_EQ(statuses(Json::parse(outcome.out)),
            (Words{"measured", "same program", "same program", "measured", "same program",
                   "same program", "measured"}));
}

TEST(CollectPrograms, MeasuresBothNeighboursOfACommitThatDoesNotBuild) {
  NEEDS_TRACING();
  CollectedPrograms line("aaaaa");
  line.write("perf-compare.json", R"({ "build": { "command": ["sh", "-c", "exit 1"] },
    "workloads": [ { "name": "claimed", "command": ["sh", "a/bench"] } ] })");
  line.commit("Break the build");
  line.write("perf-compare.json", R"({ "workloads": [
      { "name": "claimed", "command": ["sh", "a/bench"] } ] })");
  line.commit("Mend it");
  const Json json = line.collected("v0..HEAD", {"--pairs", "1", "-w", "claimed", "--programs"});
  const Words words = statuses(json);
  EXPECT_EQ(count(words, "failed"), 1);
  EXPECT_EQ(words[4], "failed");
  EXPECT_EQ(words[5], "measured");
}

/// Two workloads that read one of two files, whichever their seed says; together they read both.
TEST(CollectPrograms, TracesAllCommitsWithOneSeed) {
  NEEDS_TRACING();
  CollectedPrograms line("aa", CollectedPrograms::reading("data/$((PERF_COMPARE_SEED % 2)).txt"));
  line.write("data/0.txt", "100");
  line.write("data/1.txt", "100");
  line.commit("Add data");
  line.git({"tag", "-f", "v0"});
  for (int i = 0; i < 10; ++i) {
    line.write(i < 5 ? "data/0.txt" : "data/1.txt", std::to_string(101 + i));
    line.commit("Change data");
  }
  const Json json = line.collected("v0..HEAD", {"--pairs", "1", "-w", "claimed", "--programs"});
  EXPECT_EQ(statuses(json), Words(10, "measured"));
}

TEST(CollectPrograms, MeasuresEveryCommitInDoubt) {
  NEEDS_TRACING();
  // Each run writes to a file outside that each run reads.
  const TemporaryFolder beside;
  const std::string file = (beside.path() / "state").string();
  const CollectedPrograms line(
      "aaaaaa",
      CollectedPrograms::reading("a/work; cat '" + file + "' > /dev/null; date >> '" + file + "'"));
  const Json json = line.collected("v0..HEAD", {"--pairs", "1", "-w", "claimed", "--programs"});
  EXPECT_EQ(statuses(json), Words(5, "measured"));
  for (std::size_t i = 2; i < 6; ++i) {
    EXPECT_EQ(line.programs("claimed")[i], "") << i;
  }
}

TEST(CollectPrograms, MeasuresAllWithoutTracingAndWarnsOnce) {
  const CollectedPrograms line("aaaaaa");
  const TemporaryFolder folder;
  const Outcome outcome =
      line.perf_compare({"collect", "v0..HEAD", "--pairs", "1", "--programs", "--json", "-"},
                        {{"PATH", path_without_strace(folder)}});
  EXPECT_EQ(statuses(json_of(outcome, 0)), Words(5, "measured"));
  const std::string said = "programs are not traced: strace is not installed";
  ASSERT_TRUE(contains(outcome.err, said));
  EXPECT_EQ(outcome.err.find(said), outcome.err.rfind(said)) << outcome.err;
}

}  // namespace
}  // namespace perf::test
