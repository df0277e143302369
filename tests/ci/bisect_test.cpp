// `perf-compare bisect` and `--git-bisect` as a user runs them, on scratch repositories whose
// benchmark claims its times.

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// What it takes to build a commit: no file `broken`.
const std::string kBuiltConfig = R"({
  "build": { "command": ["sh", "-c", "test ! -e broken || { echo no such header >&2; exit 1; }"] },
  "workloads": [
    { "name": "claimed", "command": ["./bench"] },
    { "name": "other", "command": ["./bench"] }
  ]
}
)";

/// A command of several benchmarks, as Google Benchmark tells them: one takes `work` ms.
const std::string kSuite = R"sh(#!/bin/sh
exec awk -v work="$(cat work)" -v seed="$PERF_COMPARE_SEED" -v pid="$$" 'BEGIN {
  srand(seed % 1000000 + pid)
  printf "{\"benchmarks\": [{\"name\": \"same\", \"time_unit\": \"ms\", \"real_time\": %.6f},", 7 + rand() / 20
  printf "{\"name\": \"sum\", \"time_unit\": \"ms\", \"real_time\": %.6f}]}\n", work * (1 + rand() / 100)
}'
)sh";
const std::string kSuiteConfig =
    R"({ "workloads": [ { "name": "suite", "command": ["./bench"], "format": "google-benchmark" } ] })";

/// `count` commits after the first, whose benchmark claims 100 ms, and 105 from commit `step` on
/// (where there is one); the commits in `broken` do not build.
struct Line : ScratchRepository {
  Line(int count, int step, const std::set<int>& broken = {},
       const std::string& bench = kClaimedBenchmark, const std::string& config = kBuiltConfig) {
    write("bench", bench, true);
    write("perf-compare.json", config);
    for (int i = 0; i <= count; ++i) {
      write("number", std::to_string(i));
      write("work", step > 0 && i >= step ? "105" : "100");
      if (broken.count(i) > 0) {
        write("broken", "yes");
      } else {
        std::filesystem::remove(path() / "broken");
      }
      oids.push_back(commit("Commit " + std::to_string(i)));
    }
  }

  Outcome bisect(const std::vector<std::string>& more = {}) const {
    return perf_compare(with_more({"bisect", oids.front(), "main", "-w", "claimed"}, more));
  }

  std::string oid(int commit) const { return oids[static_cast<std::size_t>(commit)]; }

  std::vector<std::string> oids;
};

TEST(Bisect, FindsTheCommitAmong64) {
  const Line line(64, 41, {16, 32, 33, 48});
  const std::string markdown = (line.path() / "out.md").string();
  const Outcome outcome = line.bisect({"--json", "-", "--markdown", markdown});
  const Json json = json_of(outcome, 1);
  EXPECT_EQ(json["schema"], "perf-compare/bisect/1");
  EXPECT_EQ(json["answer"], "found");
  EXPECT_EQ(json["first_bad"]["oid"], line.oid(41));
  EXPECT_EQ(json["last_good"]["oid"], line.oid(40));
  EXPECT_EQ(json["certain"], true);
  EXPECT_EQ(json["commits"], 64);
  EXPECT_EQ(json["comparison"]["base"]["oid"], line.oid(40));
  EXPECT_EQ(json["comparison"]["summary"]["verdict"], "regressed");
  EXPECT_LE(json["pairs"], 50);
  EXPECT_GE(json["pairs"], 11 + 6);
  ASSERT_FALSE(json["skipped"].empty());
  EXPECT_EQ(json["skipped"].back()["revision"]["oid"], line.oid(32));
  EXPECT_TRUE(contains(json["skipped"].back()["reason"], "no such header"));
  EXPECT_TRUE(contains(json["skipped"].back()["reason"], "build.log"));
  EXPECT_TRUE(contains(outcome.err, "step 1 of about 6: " + line.oid(32).substr(0, 12)));
  EXPECT_FALSE(contains(outcome.err, " left)"));
  EXPECT_TRUE(contains(content_of(markdown), "First bad commit: " + line.oid(41).substr(0, 12)));
}

TEST(Bisect, NamesAllCandidatesBetweenSkippedCommits) {
  const Line line(8, 5, {4, 5});
  const Json json = json_of(line.bisect({"--json", "-"}), 1);
  EXPECT_EQ(json["last_good"]["oid"], line.oid(3));
  EXPECT_EQ(json["first_bad"]["oid"], line.oid(6));
  ASSERT_EQ(json["candidates"].size(), 2U);
  EXPECT_EQ(json["candidates"][1]["oid"], line.oid(5));
}

TEST(Bisect, ComparesTwoNeighboursOnce) {
  const Line line(1, 1);
  const Json json = json_of(line.bisect({"--json", "-"}), 1);
  EXPECT_EQ(json["first_bad"]["oid"], line.oid(1));
  EXPECT_EQ(json["last_good"]["oid"], line.oid(0));
  EXPECT_EQ(json["pairs"], 11);
}

TEST(Bisect, BuildsTheNeighboursAnewBeforeItConfirms) {
  const TemporaryFolder folder;
  const std::string count = folder.path() / "count";
  const Line line(1, 1, {}, kClaimedBenchmark, R"({
  "build": { "command": ["sh", "-c", "echo x >> \"$COUNT\""] },
  "workloads": [ { "name": "claimed", "command": ["./bench"] } ]
}
)");
  line.perf_compare({"HEAD~1", "HEAD", "--budget", "1s"}, {{"COUNT", count}});
  EXPECT_EQ(content_of(count), "x\nx\n");
  EXPECT_TRUE(ended(
      line.perf_compare({"bisect", "HEAD~1", "HEAD", "-w", "claimed"}, {{"COUNT", count}}), 1));
  EXPECT_EQ(content_of(count), "x\nx\nx\nx\n");
}

TEST(Bisect, ReportsThatGoodAndBadDoNotDiffer) {
  const Line line(8, 0);
  const Json json = json_of(line.bisect({"--json", "-"}), 4);
  EXPECT_EQ(json["answer"], "not_worse");
  EXPECT_TRUE(json["first_bad"].is_null());
  EXPECT_EQ(json["visited"].size(), 1U) << "only BAD was measured";
}

TEST(Bisect, ContinuesAfterASignal) {
  const Line line(64, 23, {20});
  const std::vector<std::string> command{
      PERF_BINARY_DIR "/bin/perf-compare", "bisect", line.oids.front(), "main", "-w", "claimed"};
  EXPECT_TRUE(ended(run(command, line.path(), {}, "step 3 of about", SIGINT), 130,
                    {"Interrupted", "the same command continues"}));

  const Outcome outcome = line.bisect({"--json", "-"});
  EXPECT_TRUE(ended(outcome, 1, {"continuing: "}));
  EXPECT_FALSE(contains(outcome.err, "GOOD against BAD")) << "measured before: ";
  EXPECT_FALSE(contains(outcome.err, "step 1 of"));
  EXPECT_EQ(Json::parse(outcome.out)["first_bad"]["oid"], line.oid(23));

  // Asked once more, it answers from the store: no process of the benchmark runs.
  const Outcome again = line.bisect({"--json", "-"});
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_FALSE(contains(again.err, "measuring"));
  const Json first = Json::parse(outcome.out), second = Json::parse(again.out);
  for (const char* field : {"id", "pairs", "visited", "skipped", "first_bad", "probability"}) {
    EXPECT_EQ(first[field], second[field]) << field;
  }
  EXPECT_EQ(first["comparison"]["comparisons"], second["comparison"]["comparisons"]);
}

TEST(Bisect, ContinuesAfterBeingKilled) {
  const Line line(16, 7);
  const std::vector<std::string> command{
      PERF_BINARY_DIR "/bin/perf-compare", "bisect", line.oids.front(), "main", "-w", "claimed"};
  EXPECT_TRUE(ended(run(command, line.path(), {}, "step 2 of about", SIGKILL), 128 + SIGKILL));
  const Outcome outcome = line.bisect({"--json", "-"});
  EXPECT_TRUE(ended(outcome, 1, {"continuing: "}));
  EXPECT_EQ(Json::parse(outcome.out)["first_bad"]["oid"], line.oid(7));
}

TEST(Bisect, StopsAtItsBudgetAndContinuesWithALargerOne) {
  const Line line(8, 5);
  const Json unfinished = json_of(line.bisect({"--budget", "1ms", "--json", "-"}), 3);
  EXPECT_EQ(unfinished["answer"], "unfinished");
  EXPECT_EQ(unfinished["budget_spent"], true);
  const Outcome outcome = line.bisect({"--json", "-"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["id"], unfinished["id"]);
}

TEST(Bisect, ContinuesInTwoCopiesOfAStoreThatMergeAgain) {
  const Line line(8, 5);
  ASSERT_EQ(line.bisect({"--budget", "1ms"}).exit_code, 3);
  const std::filesystem::path copy = line.path().parent_path() / "copy.db";
  std::filesystem::copy_file(line.path() / ".perf-compare/results.db", copy);
  for (const std::vector<std::string>& store :
       std::vector<std::vector<std::string>>{{}, {"--db", copy}}) {
    EXPECT_EQ(line.bisect(store).exit_code, 1);
  }
  EXPECT_TRUE(ended(line.perf_compare({"merge", copy}), 0));
  const Outcome again = line.bisect({"--json", "-"});
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_FALSE(contains(again.err, "measuring"));
  EXPECT_EQ(Json::parse(again.out)["first_bad"]["oid"], line.oid(5));
}

TEST(Bisect, KeepsItsAnswerWithASmallerBudget) {
  const Line line(4, 2);
  EXPECT_TRUE(ended(line.bisect({"--json", "-"}), 1));
  const Json json = json_of(line.bisect({"--budget", "1ms", "--json", "-"}), 1);
  EXPECT_EQ(json["answer"], "found");
  EXPECT_EQ(json["budget_spent"], false);
  EXPECT_EQ(json["first_bad"]["oid"], line.oid(2));
}

/// GOOD and BAD are neighbours here: after two traces of each, 22 processes show the step, and the
/// last comparison's fail.
TEST(Bisect, GivesNoAnswerIfTheLastComparisonFails) {
  Line line(1, 1);
  const std::string counter = (line.path().parent_path() / "processes").string();
  line.write("bench",
             "#!/bin/sh\necho one >> '" + counter + "'\n[ $(wc -l < '" + counter +
                 "') -le 26 ] || { echo worn out >&2; exit 1; }\n" +
                 kClaimedBenchmark.substr(kClaimedBenchmark.find('\n') + 1),
             true);
  line.write("work", "100");
  line.oids.front() = line.commit("Last good");
  line.write("work", "105");
  line.commit("Compute more");
  const Json json = json_of(line.bisect({"--json", "-"}), 3);
  EXPECT_EQ(json["answer"], "unmeasured");
  EXPECT_TRUE(json["first_bad"].is_null());
  EXPECT_EQ(json["pairs"], 11);
  EXPECT_TRUE(contains(json["comparison"].dump(), "worn out"));
}

TEST(Bisect, FollowsOneOfSeveralBenchmarks) {
  const Line line(8, 5, {}, kSuite, kSuiteConfig);
  const auto bisect = [&](const std::string& workload) {
    return line.perf_compare({"bisect", line.oids.front(), "main", "-w", workload, "--json", "-"});
  };
  const Json json = json_of(bisect("suite/sum"), 1);
  EXPECT_EQ(json["first_bad"]["oid"], line.oid(5));
  EXPECT_EQ(json["workload"], "suite/sum");
  EXPECT_TRUE(contains(json["reproduce"].dump(), "-w suite/sum"));
  const Outcome same = bisect("suite/same");
  EXPECT_EQ(same.exit_code, 4) << same.err;
  EXPECT_FALSE(contains(same.err, "continuing")) << "another question";
  EXPECT_TRUE(ended(bisect("suite"), 2, {"choose one: -w suite/sum"}));
  EXPECT_TRUE(ended(bisect("suite/smu"), 2, {"did you mean \"suite/sum\"?"}));
}

// A benchmark that is alone is called as its workload is; a name of another is none of it.
TEST(Bisect, NamesTheOnlyBenchmark) {
  const std::string alone =
      "#!/bin/sh\necho '{\"benchmarks\": [{\"name\": \"sum\", \"time_unit\": \"ms\", "
      "\"real_time\": 7}]}'\n";
  const Line line(1, 1, {}, alone, kSuiteConfig);
  EXPECT_TRUE(ended(line.perf_compare({"bisect", line.oids.front(), "main", "-w", "suite/smu",
                                       "--measure", "all"}),
                    2, {"did you mean \"suite/sum\"?"}));
}

/// A pin is no name to git, `rel~2` even less.
TEST(Bisect, NamesCommitsForGit) {
  Line line(4, 2);
  ASSERT_EQ(line.perf_compare({"pin", "rel", "main"}).exit_code, 0);
  const Json json = line.json({"bisect", line.oids.front(), "rel", "-w", "claimed"}, 1);
  EXPECT_EQ(line.git({"rev-parse", json["first_bad"]["name"]}), line.oid(2));
  EXPECT_EQ(json["bad"]["name"], "rel");
  const Json named = Json::parse(line.bisect({"--json", "-"}).out);
  EXPECT_EQ(named["first_bad"]["name"], "main~2");
}

TEST(Bisect, StartsAgainWithAnotherSeed) {
  const Line line(2, 1);
  const Json first = Json::parse(line.bisect({"--json", "-", "--seed", "1"}).out);
  const Json second = Json::parse(line.bisect({"--json", "-", "--seed", "2"}).out);
  EXPECT_NE(first["id"], second["id"]);
  EXPECT_EQ(first["first_bad"]["oid"], second["first_bad"]["oid"]);
  EXPECT_EQ(Json::parse(line.bisect({"--json", "-"}).out)["id"], second["id"]) << "the latest";
}

TEST(Bisect, FollowsTheGivenMetric) {
  Line line(4, 2);
  const Outcome memory = line.bisect({"--metric", "peak_rss", "--threshold", "20%", "--json", "-"});
  EXPECT_EQ(memory.exit_code, 4) << memory.err;
  EXPECT_EQ(Json::parse(memory.out)["metric"], "peak_rss");
  const Outcome floor = line.bisect({"--metric", "peak_rss", "--json", "-", "--seed", "1"});
  EXPECT_EQ(floor.exit_code, 4) << floor.err;
  EXPECT_EQ(Json::parse(floor.out)["answer"], "not_worse");
  EXPECT_GT(Json::parse(floor.out)["threshold"], 0.03) << "256 KiB of a shell's few MiB";
  EXPECT_TRUE(ended(line.bisect({"--metric", "step_tine"}), 2, {"step_time"}));
}

TEST(Bisect, RefusesWhatItCannotFollow) {
  const Line line(3, 2);
  const auto asked = [&](const std::vector<std::string>& arguments) {
    return line.perf_compare(arguments);
  };
  EXPECT_TRUE(
      ended(asked({"bisect", "main~3", "main"}), 2, {"bisect takes one workload: claimed, other"}));
  const std::string config = (line.path() / "other.json").string(), here = line.path().string();
  const std::string store = (line.path() / "it is.db").string();
  std::filesystem::rename(line.path() / "perf-compare.json", config);
  const Outcome elsewhere =
      run({PERF_BINARY_DIR "/bin/perf-compare", "bisect", "main~3", "main", "-C", here, "--config",
           config, "--db", store, "--size", "smoke", "--threshold", "2%"},
          "/");
  EXPECT_EQ(elsewhere.exit_code, 2);
  EXPECT_TRUE(
      contains(elsewhere.err,
               "perf-compare bisect 'main~3' main --size smoke -w claimed --threshold 2% -C " +
                   here + " --config " + config + " --db '" + store + "'"))
      << elsewhere.err;
  EXPECT_TRUE(
      ended(asked({"bisect", "main", "main~3", "-w", "claimed"}), 2, {"GOOD comes after BAD"}));
  EXPECT_TRUE(ended(
      asked({"bisect", "main~3", "main", "-w", "claimed", "--metric", "a", "--metric", "b"}), 2));
}

TEST(Bisect, FailsIfAnEndCannotBeMeasured) {
  const Line good(3, 2, {0});
  EXPECT_TRUE(ended(good.bisect(), 3, {"GOOD cannot be measured"}));
  const Line bad(3, 2, {3});
  EXPECT_TRUE(ended(bad.bisect(), 3, {"BAD cannot be measured"}));
}

// ---- commits that run one program

/// A commit a letter, which is the program (its time is `times`' by the letter, in ms); every
/// commit changes a text that nobody reads.
struct Programs : ScratchRepository {
  explicit Programs(const std::string& letters, const std::map<char, std::string>& times,
                    const std::string& bench = kClaimedBenchmark) {
    write("bench", bench, true);
    write("perf-compare.json", kClaimedConfig);
    for (std::size_t i = 0; i < letters.size(); ++i) {
      write("work", times.at(letters[i]));
      write("README.md", "Commit " + std::to_string(i));
      oids.push_back(commit("Commit " + std::to_string(i)));
    }
  }
  Outcome bisect(const std::vector<std::string>& more = {}) const {
    return perf_compare(with_more({"bisect", oids.front(), "main"}, more));
  }
  std::vector<std::string> oids{};
};

const std::map<char, std::string> kTimes{
    {'a', "100"}, {'b', "105"}, {'c', "105.1"}, {'d', "100.1"}};

TEST(BisectPrograms, MeasuresOnlyTheEndsIfProgramsDecide) {
  NEEDS_TRACING();
  const Programs line("aaaaaaaaabbbbbbb", kTimes);
  const Outcome outcome = line.bisect({"--json", "-"});
  const Json json = json_of(outcome, 1);
  EXPECT_EQ(json["answer"], "found");
  EXPECT_EQ(json["first_bad"]["oid"], line.oids[9]);
  EXPECT_EQ(json["last_good"]["oid"], line.oids[8]);
  EXPECT_EQ(json["certain"], true);
  EXPECT_EQ(json["pairs"], json["ends"]["pairs"]) << "no other commit was measured";
  EXPECT_GE(json["visited"].size(), 4U);
  for (const Json& visited : json["visited"]) {
    const std::string oid = visited["revision"]["oid"];
    if (oid != line.oids.back()) {
      const bool is_bad = std::ranges::find(line.oids, oid) >= line.oids.begin() + 9;
      EXPECT_EQ(visited["same_as"], is_bad ? line.oids.back() : line.oids.front());
      EXPECT_EQ(visited["probability_bad"], is_bad ? 1 : 0);
      EXPECT_EQ(visited["pairs"], 0);
    }
  }
  EXPECT_TRUE(contains_all(outcome.err, {"same program as GOOD", "same program as BAD"}));

  // Asked again, it answers from the store.
  const Outcome again = line.bisect({"--json", "-"});
  const Json second = Json::parse(again.out);
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_EQ(second["visited"], json["visited"]);
  EXPECT_FALSE(contains(again.err, "step 1 of"));
  EXPECT_TRUE(contains(line.bisect().out, "program of GOOD"));
}

// By then its build was removed from the cache.
TEST(BisectPrograms, UsesTracesOfEarlierCommands) {
  NEEDS_TRACING();
  Programs line("aaaaaaaabbbbbbb", kTimes);
  std::string config = kClaimedConfig;
  line.write("perf-compare.json", config.insert(config.find('{') + 1, R"("keep_builds": 2,)"));
  line.commit("Keep two builds");
  const Outcome outcome = line.bisect({"--json", "-"});
  const Json json = json_of(outcome, 1);
  EXPECT_EQ(json["first_bad"]["oid"], line.oids[8]);
  EXPECT_EQ(json["pairs"], json["ends"]["pairs"]) << "no other commit was measured";
  EXPECT_TRUE(contains(outcome.err, "same program as BAD"));
}

TEST(BisectPrograms, DoesNotMeasureGoodAndBadOfOneProgram) {
  NEEDS_TRACING();
  const Programs line("abba", kTimes);
  const Json json = json_of(line.bisect({"--json", "-"}), 4);
  EXPECT_EQ(json["answer"], "same_program");
  EXPECT_EQ(json["pairs"], 0);
  EXPECT_EQ(json["measured"], 0);
  EXPECT_TRUE(json["first_bad"].is_null());
  const Outcome text = line.bisect();
  EXPECT_EQ(text.exit_code, 4);
  EXPECT_EQ(text.out.rfind("No commit to search for: BAD runs the same program as GOOD", 0), 0U)
      << text.out;
  const Json all = Json::parse(line.bisect({"--measure", "all", "--json", "-"}).out);
  EXPECT_EQ(all["answer"], "not_worse");
  EXPECT_GE(all["pairs"], 11);
}

TEST(BisectPrograms, MeasuresAllWithMeasureAll) {
  const Programs line("aaaabbbb", kTimes);
  const Json json = json_of(line.bisect({"--measure", "all", "--json", "-"}), 1);
  EXPECT_EQ(json["first_bad"]["oid"], line.oids[4]);
  EXPECT_GT(json["pairs"], json["ends"]["pairs"]);
  for (const Json& visited : json["visited"]) {
    EXPECT_TRUE(visited["same_as"].is_null());
  }
}

TEST(BisectPrograms, SharesMeasurementsOfTheSameProgram) {
  NEEDS_TRACING();
  // Neither GOOD's nor BAD's: a slow one of its own, and a fast one.
  const Programs line("adddddddccccccccb", kTimes);
  const Json json = json_of(line.bisect({"--json", "-"}), 1);
  EXPECT_EQ(json["first_bad"]["oid"], line.oids[8]);
  std::size_t shared = 0, measured = 0;
  for (const Json& visited : json["visited"]) {
    shared += visited["same_as"].is_null() ? 0 : 1;
    measured += visited["pairs"] > 0 ? 1 : 0;
  }
  EXPECT_GT(shared, 0U) << json["visited"];
  EXPECT_LE(measured, 3U) << json["visited"];
}

TEST(BisectPrograms, FindsTheLaterStepAfterARevert) {
  NEEDS_TRACING();
  const Programs line("aabbaaaaaabbb", kTimes);
  const Outcome outcome = line.bisect({"--json", "-"});
  ASSERT_EQ(outcome.exit_code, 1) << outcome.err;
  const std::string first_bad = Json::parse(outcome.out)["first_bad"]["oid"];
  // Either is a first bad commit; what lies between a slow and a fast one is none.
  EXPECT_TRUE(first_bad == line.oids[10] || first_bad == line.oids[2]) << first_bad;
}

/// A program that reads its time only where nobody traces it.
const std::string kShy = R"sh(#!/bin/sh
if grep -q '^TracerPid:[^0-9]*[1-9]' /proc/self/status; then t=100; else
t=$(cat "$SHY/$(cat number.txt)")
fi
)sh" + [] {
  std::string rest = kClaimedBenchmark.substr(kClaimedBenchmark.find('\n') + 1);
  return rest.replace(rest.find("$(cat work)"), 11, "$t");
}();

TEST(BisectPrograms, MeasuresAProgramThatAsksForItsTracer) {
  NEEDS_TRACING();
  const TemporaryFolder shy;
  const auto tell = [&](const std::string& name, const std::string& text) {
    std::ofstream(shy.path() / name) << text << "\n";
  };
  tell("0", "100");
  tell("1", "105");
  Programs line(
      "a", kTimes,
      "#!/bin/sh\nSHY='" + shy.path().string() + "'\n" + kShy.substr(kShy.find('\n') + 1));
  line.write("number.txt", "0");
  line.oids.front() = line.commit("Count");
  line.write("number.txt", "1");
  const std::string bad = line.commit("Count on");
  const Outcome outcome = line.bisect({"--json", "-"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["first_bad"]["oid"], bad) << outcome.out;
}

TEST(BisectPrograms, MeasuresAllInDoubt) {
  // `number` lies beside `work`, and another seed might read it.
  const Line line(16, 7);
  const Json json = json_of(line.bisect({"--json", "-"}), 1);
  EXPECT_EQ(json["first_bad"]["oid"], line.oid(7));
  for (const Json& visited : json["visited"]) {
    EXPECT_TRUE(visited["same_as"].is_null());
    EXPECT_GT(visited["pairs"], 0);
  }
}

// ---- perf-compare GOOD HEAD --git-bisect

/// Memory of a small shell script is nothing to judge at 3 %.
const std::vector<std::string> kByTime{"-w",          "claimed", "--metric",    "step_time",
                                       "--threshold", "3%",      "--git-bisect"};

TEST(GitBisect, ReturnsGoodBadAndSkip) {
  const Line line(4, 2, {4});
  const auto code = [&](int base, int head, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = with_more({line.oid(base), line.oid(head)}, kByTime);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return line.perf_compare(arguments).exit_code;
  };
  EXPECT_EQ(code(0, 1), 0);
  EXPECT_EQ(code(0, 2), 1);
  EXPECT_EQ(code(2, 0), 0) << "faster is not bad";
  EXPECT_EQ(code(0, 4), 125) << "does not build";
  EXPECT_EQ(code(4, 0), 125) << "there is nothing to compare with";
  EXPECT_EQ(code(0, 1, {"--budget", "1ms"}), 125) << "undecided";
}

/// A workload, a metric or a name may be there at other commits: only what no commit can mend stops
/// git.
TEST(GitBisect, StopsOnlyAtAnInvalidCommandLine) {
  const Line line(2, 1);
  const auto code = [&](const std::vector<std::string>& more) {
    return line.perf_compare(with_more({"HEAD~1", "HEAD", "--git-bisect"}, more)).exit_code;
  };
  EXPECT_EQ(line.perf_compare({"no-such-name", "HEAD", "--git-bisect"}).exit_code, 125);
  EXPECT_EQ(code({"-w", "added_later"}), 125);
  EXPECT_EQ(code({"-w", "claimed", "--metric", "added_later"}), 125);
  EXPECT_EQ(code({"--no-such"}), 128);
  EXPECT_EQ(code({"--budget", "soon"}), 128);
  EXPECT_EQ(line.perf_compare({"HEAD~1", "HEAD", "--no-such"}).exit_code, 2);
}

TEST(GitBisect, SkipsACommitWithoutAConfig) {
  Line line(2, 1);
  line.write("perf-compare.json", "{ broken");
  const std::string broken = line.commit("Break the config");
  EXPECT_EQ(line.perf_compare({line.oid(0), "HEAD", "--git-bisect"}).exit_code, 125);
  std::filesystem::remove(line.path() / "perf-compare.json");
  line.commit("Remove the config");
  EXPECT_EQ(line.perf_compare({line.oid(0), "HEAD", "--git-bisect"}).exit_code, 125);
}

/// `git bisect run` from commit 0 to main.
Outcome git_bisect_run(Line& line) {
  line.git({"bisect", "start", "main", line.oid(0)});
  return run(
      with_more({"git", "bisect", "run", PERF_BINARY_DIR "/bin/perf-compare", line.oid(0), "HEAD"},
                kByTime),
      line.path());
}

TEST(GitBisect, LeadsGitToTheCommit) {
  Line line(8, 3);
  EXPECT_TRUE(ended(git_bisect_run(line), 0, {line.oid(3) + " is the first bad commit"}));
}

TEST(GitBisect, LeadsGitAroundACommitThatDoesNotBuild) {
  Line line(8, 5, {4});
  const Outcome outcome = git_bisect_run(line);
  EXPECT_NE(outcome.exit_code, 0) << "git cannot tell commits 4 and 5 apart";
  for (const int commit : {4, 5}) {
    EXPECT_TRUE(contains(outcome.out, line.oid(commit))) << outcome.err;
  }
  EXPECT_FALSE(contains(outcome.out, line.oid(6)));
}

}  // namespace
}  // namespace perf::test
