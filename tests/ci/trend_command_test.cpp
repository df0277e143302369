// `perf-compare trend` as a user runs it every night, on scratch repositories whose store was
// filled by hand.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/recorded_line.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kCommits = 60, kStep = 40;

/// 0.1 s, and 10 % more from a commit on, up to another.
auto stepping(std::size_t from, std::size_t until = kCommits) {
  return [from, until](std::size_t i) { return i >= from && i < until ? 0.11 : 0.1; };
}

/// A line whose store knows that it got slower at a commit, whatever its benchmark claims now.
struct SlowerLine : RecordedLine {
  explicit SlowerLine(std::size_t from = kCommits, const std::string& work = "")
      : RecordedLine(kCommits, from, work) {
    record(0, kCommits, stepping(kStep));
  }
};

TEST(Trend, ShowsAnAlertAsNewOnce) {
  SlowerLine line;
  const Json json = line.json({"trend", "--fail-on", "new"}, 1);
  EXPECT_EQ(json["schema"], "perf-compare/trend/1");
  ASSERT_EQ(json["summary"]["new"], 1) << json["alerts"];
  EXPECT_EQ(json["alerts"][0]["oid"], line.oids[kStep]);
  EXPECT_EQ(json["alerts"][0]["previous_oid"], line.oids[kStep - 1]);
  EXPECT_EQ(json["alerts"][0]["metric"], "step_time");
  EXPECT_NEAR(json["alerts"][0]["change"].get<double>(), 0.10, 0.02);
  EXPECT_EQ(json["commits"].size(), kCommits);

  const Json later = line.json({"trend", "--fail-on", "new"});
  EXPECT_EQ(later["summary"]["new"], 0);
  EXPECT_EQ(later["summary"]["known"], 1);
  EXPECT_EQ(later["alerts"][0]["first_seen"], json["generated_at"]);
}

TEST(Trend, PrintsASummary) {
  SlowerLine line;
  const Outcome outcome = line.trend();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.rfind("1 new alert: claimed is slower, step_time +", 0), 0U) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, line.oids[kStep].substr(0, 12) + " Commit 40"));
  EXPECT_TRUE(contains(outcome.out, "to verify: perf-compare " +
                                        line.oids[kStep - 1].substr(0, 12) + " " +
                                        line.oids[kStep].substr(0, 12)));
  EXPECT_TRUE(contains(outcome.out, "false alarms in replays of this noise"));
}

// A fifth of the steps of each process takes 5 % longer, later 20 %.
TEST(Trend, ShowsASlowerTail) {
  RecordedLine line(kCommits, kCommits, "");
  line.record(
      0, kCommits, [](std::size_t) { return 0.1; }, "machine1", "claimed",
      [](std::size_t i, Block& block) {
        const double slow = block.steps[0].seconds * (i < kStep ? 1.05 : 1.2);
        for (std::int64_t step = 4; step <= 100; ++step) {
          block.steps.push_back({step, false, step > 80 ? slow : block.steps[0].seconds, {}, {}});
        }
      });
  const Json json = line.json({"trend", "--metric", "step_time"});
  EXPECT_EQ(json["summary"]["new"], 0);
  ASSERT_EQ(json["series"][0]["tails"].size(), 1U);
  const Json& tail = json["series"][0]["tails"][0];
  EXPECT_EQ(tail["oid"], line.oids[kStep]);
  EXPECT_NEAR(tail["change"].get<double>(), 1.2 / 1.05 - 1, 1e-6);
  EXPECT_TRUE(contains(tail["confirm"].get<std::string>(),
                       line.oids[kStep].substr(0, 12) + " -w claimed --metric step_time.p90"));
}

TEST(Trend, ReportsARecoveryOnce) {
  RecordedLine line(kCommits, kCommits, "");
  line.record(0, 40, stepping(20));
  ASSERT_EQ(line.json({"trend"})["summary"]["new"], 1);
  line.record(40, kCommits, stepping(20, 40));
  const Json back = line.json({"trend"});
  EXPECT_EQ(back["summary"]["recovered"], 1) << back["alerts"];
  EXPECT_EQ(back["summary"]["new"], 0) << back["alerts"];
  const Json later = line.json({"trend"});
  EXPECT_EQ(later["summary"]["recovered"], 0) << later["alerts"];
  EXPECT_EQ(later["summary"]["new"], 0) << later["alerts"];
}

TEST(Trend, BlamesNoCommitForAnotherMachine) {
  RecordedLine line(kCommits, kCommits, "");
  line.record(
      0, 30, [](std::size_t) { return 0.1; }, "machine1");
  line.record(
      30, kCommits, [](std::size_t) { return 0.13; }, "machine2");
  const Json json = line.json({"trend"});
  EXPECT_EQ(json["summary"]["new"], 0) << json["alerts"];
  EXPECT_EQ(json["environments"].size(), 2U);
  EXPECT_EQ(json["series"].size(), 4U) << "two metrics on two machines";
}

// One commit slows a small suite everywhere: it looks like a machine, and is no green night.
TEST(Trend, FailsOnANewMachineEventWhereAsked) {
  RecordedLine line(kCommits, kCommits, "");
  for (const std::string workload : {"claimed", "second", "third"}) {
    line.record(0, kCommits, stepping(kStep), "machine1", workload);
  }
  const Outcome first = line.trend({"--fail-on", "new", "--fail-on", "event"});
  EXPECT_EQ(first.exit_code, 1) << first.out << first.err;
  EXPECT_EQ(first.out.rfind("Nothing blamed on a commit, but 3 of 6 series of machine ", 0), 0U)
      << first.out;
  EXPECT_TRUE(contains(first.out, "to distinguish machine and commit"));
  const Json json = line.json({"trend", "--fail-on", "new", "--fail-on", "event"});
  ASSERT_EQ(json["machine_events"].size(), 1U);
  EXPECT_EQ(json["machine_events"][0]["known"], true);
  EXPECT_EQ(json["machine_events"][0]["members"].size(), 3U);
  EXPECT_TRUE(json["alerts"].empty()) << json["alerts"];
  EXPECT_EQ(line.trend({"--fail-on", "old"}).exit_code, 2);
}

TEST(Trend, ShowsChangesSinceACommit) {
  SlowerLine line;
  const auto since = [&](const std::string& when) { return line.json({"trend", "--since", when}); };
  const Json after = since(line.oids[kStep]);
  EXPECT_EQ(after["summary"]["new"], 0) << after["alerts"];
  EXPECT_EQ(after["summary"]["points"], 2 * (kCommits - kStep - 1));
  EXPECT_EQ(since("2100-01-01")["summary"]["points"], 0);
  // Commit 39 is of 2023-12-23, 22:13:20 UTC.
  const Json before = since("2023-12-23");
  EXPECT_EQ(before["summary"]["new"], 1) << "not shown, it was not remembered";
  EXPECT_EQ(before["summary"]["points"], 2 * (kCommits - 39));
  EXPECT_TRUE(ended(line.trend({"--since", "no-such-thing"}), 2));
  for (const char* when : {"2026-13-45", "2y", "yesterday", "HEAD~3..HEAD"}) {
    const Outcome refused = line.trend({"--since", when});
    EXPECT_EQ(refused.exit_code, 2) << when;
    EXPECT_TRUE(contains(refused.err, "a day (2026-01-31), a duration (30d) or a revision"));
  }
  EXPECT_EQ(line.trend({"--since", "4000d"}).exit_code, 0) << "longer than a year";
  const Outcome twice = line.trend({"--json", "a.json", "--markdown", "./a.json"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_TRUE(contains(twice.err, "two reports cannot share a file"));
}

TEST(Trend, ObeysItsFilters) {
  SlowerLine line;
  const Json memory = line.json({"trend", "--metric", "peak_rss"});
  ASSERT_EQ(memory["series"].size(), 1U);
  EXPECT_EQ(memory["series"][0]["metric"], "peak_rss");
  EXPECT_EQ(memory["summary"]["new"], 0);
  const Outcome none = line.trend({"-w", "other*"});
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_EQ(none.out.rfind("Nothing matches: ", 0), 0U) << none.out;
  EXPECT_FALSE(contains(none.out, "perf-compare collect"));
  // What no filter showed is new all the same.
  EXPECT_EQ(line.json({"trend", "-w", "claim*"})["summary"]["new"], 1);
  EXPECT_EQ(line.trend({"no-such-revision"}).exit_code, 2);
  const Json smaller = line.json({"trend", "--threshold", "20%"});
  EXPECT_EQ(smaller["summary"]["new"], 0) << smaller["alerts"];
}

TEST(Trend, GivesAHintWithoutHistory) {
  RecordedLine line(3, 3, "");
  const Outcome outcome = line.trend();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "perf-compare collect HEAD"));
  EXPECT_FALSE(std::filesystem::exists(line.path() / ".perf-compare")) << "nothing is made";
  line.record(2, 3, stepping(kStep));
  const Outcome young = line.trend();
  EXPECT_EQ(young.exit_code, 0) << young.err;
  EXPECT_TRUE(contains(young.out, "a step of 10 % needs about"));
}

// What is seen of memory, or was of workloads that are gone, promises nothing of a noisy time.
TEST(Trend, PromisesNoStepThatNoiseHides) {
  RecordedLine line(30, 30, "");
  line.record(18, 30, [](std::size_t i) { return i % 2 == 0 ? 0.1 : 0.2; });
  for (const char* gone : {"a", "b"}) {
    line.record(0, 4, stepping(kStep), "machine1", gone);
  }
  const Outcome outcome = line.trend();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(contains(outcome.out, "to be found, of"));
  EXPECT_TRUE(contains(outcome.out, "no step of 10 % can be found in this noise"));
}

TEST(Trend, RefusesAMissingStore) {
  RecordedLine line(3, 3, "");
  EXPECT_TRUE(ended(line.trend({"--db", "typo.db", "--fail-on", "new"}), 3, {"no such store"}));
  EXPECT_FALSE(std::filesystem::exists(line.path() / "typo.db"));
  EXPECT_EQ(line.trend({"--db", "perf-compare.json/x"}).exit_code, 3) << "a file is no folder";
  EXPECT_TRUE(ended(line.trend({"--db", std::string(300, 'x')}), 3, {"cannot look for the store"}));
}

TEST(Trend, UsesPointsBeforeTheShownRange) {
  RecordedLine line(kCommits, kCommits, "");
  line.record(0, kCommits, stepping(kCommits));
  const Outcome outcome = line.trend({"--since", line.oids[kCommits - 6]});
  EXPECT_TRUE(contains(outcome.out, "60 of 60 commits measured"));
  EXPECT_FALSE(contains(outcome.out, "to be found, of"));
}

TEST(Trend, NamesNoCommandForImportedWorkloads) {
  RecordedLine line(kCommits, kCommits, "");
  line.record(0, kCommits, stepping(kStep), "machine1", "imported");
  const Outcome outcome = line.trend();
  EXPECT_TRUE(contains(outcome.out, "1 new alert: imported is slower"));
  EXPECT_FALSE(contains(outcome.out, "to verify"));
}

TEST(Trend, ComparesKnownWorkloadsOfACommit) {
  SlowerLine line(kStep, "110");
  line.record(0, kCommits, stepping(kStep), "machine2", "imported");
  const Json json = line.json({"trend", "--confirm"}, 1);
  ASSERT_EQ(json["confirmations"].size(), 1U);
  EXPECT_EQ(json["confirmations"][0]["summary"]["verdict"], "regressed");
  EXPECT_EQ(json["summary"]["confirmed"], 1) << json["alerts"];
  EXPECT_EQ(json["summary"]["new"], 2) << json["alerts"];
  EXPECT_TRUE(contains(json["warnings"].dump(), "could not compare imported")) << json["warnings"];
  EXPECT_TRUE(contains(json["reproduce"].dump(), "--confirm")) << json["reproduce"];
}

TEST(Trend, ReadsAReadOnlyStore) {
  SlowerLine line;
  // No file may grow: every write fails, for root too.
  const Outcome outcome =
      run({"sh", "-c",
           "ulimit -f 0; trap '' XFSZ; exec " PERF_BINARY_DIR "/bin/perf-compare trend --json -"},
          line.path());
  EXPECT_EQ(json_of(outcome, 0)["summary"]["new"], 1);
  EXPECT_TRUE(contains(outcome.err, "alerts were not stored"));
}

TEST(Trend, WarnsIfHeadWasNotMeasured) {
  RecordedLine line(kCommits, kCommits, "");
  line.record(0, kCommits - 1, stepping(kCommits));
  EXPECT_TRUE(contains(line.trend().out, "was not measured: the last"));
  line.record(kCommits - 1, kCommits, stepping(kCommits));
  EXPECT_FALSE(contains(line.trend().out, "was not measured: the last"));
}

TEST(Trend, WarnsOfAShallowClone) {
  SlowerLine line;
  const std::filesystem::path clone = line.path().parent_path() / "clone";
  line.git({"clone", "-q", "--depth", "5", "file://" + line.path().string(), clone.string()});
  const Outcome outcome =
      run({PERF_BINARY_DIR "/bin/perf-compare", "trend", "--db",
           (line.path() / ".perf-compare" / "results.db").string(), "--json", "-"},
          clone);
  const Json json = json_of(outcome, 0);
  EXPECT_EQ(json["commits"].size(), 5U);
  EXPECT_TRUE(contains(json["warnings"].dump(), "this clone is shallow")) << json["warnings"];
}

TEST(Trend, ConfirmsByAComparison) {
  SlowerLine line(kStep, "110");
  const Json json = line.json({"trend", "--confirm", "--fail-on", "new"}, 1);
  ASSERT_GE(json["confirmations"].size(), 1U);
  EXPECT_EQ(json["confirmations"][0]["summary"]["verdict"], "regressed");
  EXPECT_EQ(json["confirmations"][0]["base"]["oid"], line.oids[kStep - 1]);
  EXPECT_EQ(json["summary"]["confirmed"], 1) << json["alerts"];
  const Json later = line.json({"trend"});
  EXPECT_EQ(later["summary"]["known"], 1) << later["alerts"];
  EXPECT_EQ(later["alerts"][0]["confirmed_by"], json["confirmations"][0]["id"]);
}

TEST(Trend, RefutesByAComparison) {
  SlowerLine line;
  const Json json = line.json({"trend", "--confirm", "--fail-on", "new"});
  ASSERT_EQ(json["confirmations"].size(), 1U);
  EXPECT_EQ(json["confirmations"][0]["summary"]["verdict"], "unchanged");
  EXPECT_EQ(json["summary"]["new"], 0) << json["alerts"];
  EXPECT_EQ(json["summary"]["refuted"], 1) << json["alerts"];
  const Json later = line.json({"trend"});
  EXPECT_EQ(later["summary"]["new"], 0) << later["alerts"];
}

TEST(Trend, StoresWhyAConfirmationFailed) {
  SlowerLine line(kStep, "110");
  line.write("perf-compare.json", R"({
    "build": { "command": ["sh", "-c", "test $(cat work) = 100"] },
    "workloads": [ { "name": "claimed", "command": ["./bench"] } ] })");
  const Json json = line.json({"trend", "--confirm"});
  ASSERT_EQ(json["confirmations"].size(), 1U);
  const Json first = json["confirmations"][0];
  EXPECT_EQ(first["summary"]["verdict"], "failed") << first.dump(1);
  // Read again and analyzed again, it says the same.
  const Json again = line.json({"report", first["id"]}, 3);
  EXPECT_EQ(again["comparisons"], first["comparisons"]);
  EXPECT_EQ(again["warnings"], first["warnings"]);
  const Json shown = line.json({"show", first["id"]});
  EXPECT_TRUE(contains(shown["workloads"][0]["head_failed"].dump(), "exit status 1"));
}

TEST(Trend, KeepsToTheBudgetOfItsComparisons) {
  SlowerLine line(kStep, "110");
  const Json json = line.json({"trend", "--confirm", "--budget", "1ms"});
  EXPECT_EQ(json["summary"]["new"], 1) << "nothing was told";
  EXPECT_EQ(json["summary"]["confirmed"], 0);
}

/// A store that also knows what each commit runs: `a` up to a commit, then `b`.
void collect_programs(const RecordedLine& line, std::size_t border) {
  Store store(line.path() / ".perf-compare" / "results.db");
  for (std::size_t i = 0; i < kCommits; ++i) {
    Plan plan = store.load_plan("machine1-claimed-" + std::to_string(i));
    plan.run_id = "looked-" + std::to_string(i);
    plan.environment.facts = {{"governor", i < kStep ? "performance" : "powersave"}};
    plan.workloads.front().trace_record = TraceRecord{"", i < border ? "a" : "b", ""};
    store.begin_run(plan, {}, "test", "2020-01-02T00:00:00Z");
  }
}

TEST(Trend, NamesCommitsThatChangeTheProgram) {
  SlowerLine line;
  collect_programs(line, kStep);
  const Json json = line.json({"trend"});
  ASSERT_EQ(json["summary"]["new"], 1) << json["alerts"];
  const Json& alert = json["alerts"][0];
  EXPECT_EQ(alert["oid"], line.oids[kStep]);
  EXPECT_EQ(alert["border"]["oid"], line.oids[kStep]);
  EXPECT_EQ(alert["border"]["moved"], 0);
  EXPECT_EQ(alert["same_program"], false);
  EXPECT_TRUE(contains(line.trend({"--markdown", "-"}).out, "where its program changes"));
}

TEST(Trend, BlamesNoCommitThatKeepsTheProgram) {
  SlowerLine line;
  collect_programs(line, kCommits);
  const TemporaryFolder folder;
  const std::string page = (folder.path() / "page.html").string();
  const Outcome outcome = line.trend({"--fail-on", "new", "--html", page});
  EXPECT_EQ(outcome.exit_code, 1) << "the alert stays: " << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "Commit 40"));
  for (const std::string& text : {outcome.out, content_of(page)}) {
    EXPECT_TRUE(contains(text, "where no commit changed its traced program"))
        << text.substr(0, 1000);
  }
  EXPECT_TRUE(contains(outcome.out, "no recorded fact of the machine changed there"));
  EXPECT_FALSE(contains(outcome.out, "trace alarm")) << "no pairs were measured: ";
  const Json json = line.json({"trend"});
  EXPECT_EQ(json["alerts"][0]["same_program"], true);
  EXPECT_TRUE(json["alerts"][0]["border"].is_null());
  EXPECT_EQ(json["alerts"][0]["state"], "known");
}

}  // namespace
}  // namespace perf::test
