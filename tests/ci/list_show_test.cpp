// `perf-compare report`, `list` and `show`: looking around in a store, on real runs.

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "schema/files/content.h"
#include "schema/store/store.h"
#include "tests/ci/claimed_history.h"
#include "tests/ci/recorded_line.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

struct MeasuredHistory : ClaimedHistory {
  using ClaimedHistory::ClaimedHistory;

  fs::path db() const { return path() / ".perf-compare" / "results.db"; }

  /// Compares; the report that is made again of the store must say the same in every field, in JSON
  /// and to a person, and end with the same code.
  Json same_again(const std::vector<std::string>& comparison, int exit_code) const {
    const Json first = json(comparison, exit_code);
    const std::string id = first.value("id", "");
    const Json again = json({"report", id.substr(0, 10)}, exit_code);
    EXPECT_EQ(Json::diff(first, again), Json::array());
    return first;
  }
};

TEST(StoredReport, EqualsTheOriginalOfARegression) {
  const MeasuredHistory repository;
  const Json first = repository.same_again({"HEAD~2", "HEAD~1"}, 1);
  EXPECT_EQ(row(first, "claimed")["verdict"], "regressed");
  EXPECT_FALSE(row(first, "claimed")["pair_changes"].empty());

  // To a person too, and in every format; without an ID it is the latest, which is said.
  const Outcome terminal = repository.perf_compare({"report"});
  EXPECT_EQ(terminal.exit_code, 1);
  EXPECT_EQ(terminal.out.rfind("Regressed: claimed is slower", 0), 0U) << terminal.out;
  EXPECT_TRUE(contains(terminal.err,
                       "the latest comparison, " + first["id"].get<std::string>().substr(0, 12)));
  EXPECT_EQ(repository.perf_compare({"report", "-q"}).err, "");
  for (const char* format : {"--markdown", "--html", "--junit", "--openmetrics"}) {
    const Outcome outcome = repository.perf_compare({"report", format, "-"});
    EXPECT_EQ(outcome.exit_code, 1) << format << outcome.err;
    EXPECT_TRUE(contains(outcome.out, "claimed")) << format;
  }
}

TEST(StoredReport, EqualsTheOriginalWithNewWorkloadsAndMissedTargets) {
  MeasuredHistory repository(R"({
    "workloads": [ { "name": "claimed", "command": ["./bench"] } ],
    "targets": [ { "name": "fast enough", "of": "claimed", "at_most": 0.001 },
                 { "name": "of nothing", "of": "claimed", "over": "claimed", "at_least": 0.5,
                   "size": "full" } ] })");
  repository.same_again({"HEAD~2", "HEAD"}, 1);  // a missed target
  repository.write("perf-compare.json", R"({
    "workloads": [ { "name": "claimed", "command": ["./bench"] },
                   { "name": "fresh/one", "command": ["./fresh"] } ] })");
  repository.write("fresh", kClaimedBenchmark, true);
  repository.commit("Add a workload");
  const Json first = repository.same_again({"HEAD~1", "HEAD", "--pairs", "14"}, 0);
  EXPECT_EQ(row(first, "fresh/one")["verdict"], "new");
}

TEST(StoredReport, ContainsEarlierTargetsOfTheSameProgram) {
  NEEDS_TRACING();
  MeasuredHistory repository(R"({
    "workloads": [ { "name": "claimed", "command": ["./bench"] } ],
    "targets": [ { "name": "fast enough", "of": "claimed", "at_most": 1 } ] })");
  for (const char* text : {"one\n", "two\n"}) {
    repository.write("README.md", text);
    repository.commit("Say it better");
  }
  const Json first = repository.same_again({"HEAD~2", "HEAD~1"}, 0);
  EXPECT_EQ(row(first, "claimed")["measured_because"], "a target needs its value");
  EXPECT_EQ(row(first, "claimed")["basis"], "same program");
  EXPECT_EQ(row(first, "claimed")["verdict"], "unchanged");
  EXPECT_EQ(first["judged"], 0);
  EXPECT_EQ(first["audits"], Json::array());
  EXPECT_NEAR(first["targets"][0]["value"], 0.101, 0.002);
  EXPECT_TRUE(first["targets"][0]["measured_at"].is_null());
  const Json run = repository.json({"show", first["id"]}, 0);
  int timed = 0;
  for (const Json& one : run["processes"]) {
    EXPECT_TRUE(one["apart"] == "traced" || one["side"] == "head") << one.dump(1);
    timed += one["apart"] == "traced" ? 0 : 1;
  }
  EXPECT_EQ(timed, 11) << "as the first look of one comparison has pairs";
  for (const char* format : {"", "--markdown", "--html", "--junit"}) {
    std::vector<std::string> report{"report"};
    if (*format != '\0') {
      report.insert(report.end(), {format, "-"});
    }
    EXPECT_TRUE(contains(repository.perf_compare(report).out, "a target needs its value"))
        << format;
  }

  const Json second = repository.same_again({"HEAD~1", "HEAD"}, 0);
  EXPECT_EQ(row(second, "claimed")["basis"], "same program");
  EXPECT_EQ(row(second, "claimed")["verdict"], "unchanged");
  EXPECT_EQ(second["judged"], 0);
  EXPECT_EQ(second["measured"], 0);
  EXPECT_EQ(second["targets"][0]["value"], first["targets"][0]["value"]);
  EXPECT_EQ(second["targets"][0]["met"], true);
  EXPECT_EQ(second["targets"][0]["measured_at"], first["generated_at"]);

  const Json all = repository.json({"HEAD~1", "HEAD", "--measure", "all"}, 0);
  EXPECT_EQ(row(all, "claimed")["basis"], "pairs");
  EXPECT_TRUE(row(all, "claimed")["measured_because"].is_null());
  EXPECT_TRUE(all["targets"][0]["measured_at"].is_null());
}

TEST(StoredReport, EqualsTheOriginalIfHeadDoesNotBuild) {
  MeasuredHistory repository(R"({ "build": { "command": ["sh", "build.sh"] },
    "workloads": [ { "name": "claimed", "command": ["./bench"] } ] })");
  repository.write("build.sh", "true\n");
  repository.commit("Build");
  repository.write("build.sh", "echo it is broken >&2; exit 3\n");
  repository.commit("Break the build");
  const Json first = repository.same_again({"HEAD~1", "HEAD"}, 3);
  EXPECT_EQ(row(first, "claimed")["verdict"], "failed");
  const Json run = repository.json({"show", first["id"]}, 0);
  EXPECT_TRUE(contains(run["workloads"][0]["head_failed"], "does not build (exit status 3)"))
      << run.dump(1);
}

TEST(StoredReport, EqualsTheOriginalOfCrashes) {
  MeasuredHistory repository;
  repository.write("bench", "#!/bin/sh\necho the model is missing >&2\nexit 7\n", true);
  repository.commit("Crash");
  const Json first = repository.same_again({"HEAD~1", "HEAD"}, 3);
  EXPECT_TRUE(
      ended(repository.perf_compare({"show", first["id"]}), 0, {"exit 7", "the model is missing"}));
}

TEST(StoredReport, EqualsTheOriginalOfSettingsChildrenAndControlArms) {
  const MeasuredHistory repository(kClaimedConfig, R"sh(#!/bin/sh
exec awk -v work="$(cat work)" -v args="$*" -v seed="$PERF_COMPARE_SEED" -v pid="$$" 'BEGIN {
  srand(seed % 1000000 + pid)
  factor = args ~ /slow/ ? 1.5 : 1
  for (part = 1; part <= 2; part++) {
    printf "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"part%d\",\"params\":{\"n\":%d},\"tokens_per_step\":64}\n", part, part
    print "{\"type\":\"environment\",\"threads\":2}"
    for (i = 0; i < 5; i++)
      printf "{\"type\":\"step\",\"index\":%d,\"warmup\":%s,\"seconds\":%.9f,\"phases\":{\"a\":0.01,\"b\":%.9f}}\n", i, i == 0 ? "true" : "false", factor * work / 1000 * (1 + 0.01 * (rand() - 0.5)), 0.02 * factor * (1 + 0.01 * rand())
    print "{\"type\":\"metric\",\"name\":\"loss\",\"unit\":\"1\",\"better\":\"lower\",\"value\":0.25}"
    print "{\"type\":\"check\",\"name\":\"sum\",\"passed\":true,\"error\":1e-6,\"tolerance\":1e-4}"
    print "{\"type\":\"end\"}"
  }
}' > "$PERF_COMPARE_OUT"
)sh");
  const Json varied = repository.same_again({"HEAD", "--vary", "mode=fast,slow"}, 1);
  EXPECT_FALSE(varied["comparisons"][0]["base_params"].is_null()) << varied.dump(1);
  const Outcome shown = repository.perf_compare({"show", "HEAD"});
  EXPECT_TRUE(contains(shown.out, "mode=fast")) << "rows of one name";
  EXPECT_TRUE(contains(shown.out, "mode=slow"));
  const Json controlled =
      repository.same_again({"HEAD~2", "HEAD", "--control", "--pairs", "14"}, 0);
  EXPECT_FALSE(controlled["controls"].empty());
  EXPECT_FALSE(row(controlled, "claimed/part2")["phases"].empty());
  EXPECT_FALSE(row(controlled, "claimed/part2")["checks"].empty());
  EXPECT_FALSE(controlled["families"].empty() && controlled["workload_facts"].empty());
}

TEST(StoredReport, EqualsTheOriginalOfAnInterruptedRun) {
  const MeasuredHistory repository;
  const Json spent = repository.same_again({"HEAD~2", "HEAD", "--budget", "30ms"}, 0);
  EXPECT_EQ(row(spent, "claimed")["verdict"], "inconclusive");

  const fs::path report = repository.path() / "out.json";
  EXPECT_TRUE(ended(run({PERF_BINARY_DIR "/bin/perf-compare", "HEAD~2", "HEAD~1", "--pairs",
                         "500:500", "-v", "--json", report.string()},
                        repository.path(), {}, "pair 3", SIGINT),
                    130));
  const Json first = Json::parse(content_of(report));
  ASSERT_EQ(first["interrupted"], true);
  const Outcome again = repository.perf_compare({"report", first["id"], "--json", "-"});
  EXPECT_EQ(Json::diff(first, Json::parse(again.out)), Json::array());
  EXPECT_TRUE(contains(repository.perf_compare({"list"}).out, "interrupted"));
}

TEST(StoredReport, SurvivesPruning) {
  const MeasuredHistory repository;
  Json first = repository.json({"HEAD~2", "HEAD~1"}, 1);
  // Runs of today are not pruned: this one was years ago.
  const std::string update =
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
      "c.execute(\"UPDATE run SET started_at = '2020-01-01T00:00:00Z'\"); c.commit()";
  ASSERT_EQ(run({"/usr/bin/python3", "-c", update, repository.db().string()}, "/").exit_code, 0);
  ASSERT_EQ(repository.perf_compare({"prune", "--keep-steps", "1d"}).exit_code, 0);
  Json again = repository.json({"report"}, 1);
  const Json& warnings = again["warning_details"];
  ASSERT_EQ(warnings.size(), first["warning_details"].size() + 1) << again.dump(1);
  EXPECT_EQ(warnings.back()["kind"], "pruned");
  EXPECT_EQ(again["comparisons"], first["comparisons"]);
  EXPECT_EQ(again["summary"], first["summary"]);
  EXPECT_TRUE(contains(repository.perf_compare({"show"}).out, "raw steps were pruned"));
}

TEST(StoredReport, SurvivesMergeAndExport) {
  const MeasuredHistory repository;
  const Json first = repository.json({"HEAD~2", "HEAD~1"}, 1);
  const TemporaryFolder elsewhere;
  ASSERT_EQ(repository.perf_compare({"export", (elsewhere.path() / "copy.db").string()}).exit_code,
            0);
  const auto report_in = [&](const std::string& db) {
    // No repository is there, nor needed.
    return json_of(run({PERF_BINARY_DIR "/bin/perf-compare", "report", "--db", db, "--json", "-"},
                       elsewhere.path()),
                   1);
  };
  EXPECT_EQ(Json::diff(first, report_in("copy.db")), Json::array());

  const MeasuredHistory other;
  ASSERT_EQ(other.perf_compare({"merge", (elsewhere.path() / "copy.db").string()}).exit_code, 0);
  const Outcome merged = other.perf_compare({"report", first["id"], "--json", "-"});
  EXPECT_EQ(Json::diff(first, Json::parse(merged.out)), Json::array());
}

TEST(StoredReport, ReportsSamplesThatContradictIt) {
  const MeasuredHistory repository;
  repository.json({"HEAD~2", "HEAD~1"}, 1);
  const std::string update =
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
      "c.execute('UPDATE report SET result = replace(result, ?, ?)', "
      "('\"verdict\":\"regressed\"', '\"verdict\":\"unchanged\"')); "
      "c.commit()";
  ASSERT_EQ(run({"/usr/bin/python3", "-c", update, repository.db().string()}, "/").exit_code, 0);
  const Json report = repository.json({"report"}, 0);
  EXPECT_EQ(report["warning_details"].back()["kind"], "not_reproduced") << report.dump(1);
  EXPECT_TRUE(contains(report["warnings"].back(), "give regressed"));
}

TEST(StoredReport, RefusesAnUnreleasedStore) {
  const MeasuredHistory repository;
  repository.json({"HEAD~2", "HEAD~1"}, 1);
  const std::string back_to_version_5 =
      "import sqlite3, sys\n"
      "c = sqlite3.connect(sys.argv[1])\n"
      "c.execute('PRAGMA user_version = 5'); c.commit()\n";
  EXPECT_TRUE(
      ended(run({"/usr/bin/python3", "-c", back_to_version_5, repository.db().string()}, "/"), 0));
  EXPECT_TRUE(
      ended(repository.perf_compare({"report"}), 3,
            {"unreleased perf-compare (version 5, this one begins with 7)", "measure again"}));
}

TEST(StoredReport, HandlesEveryKindOfRun) {
  const MeasuredHistory repository;
  ASSERT_EQ(repository.perf_compare({"collect", "HEAD", "--pairs", "2"}).exit_code, 0);
  const std::string id = repository.json({"list"}, 0)["runs"][0]["id"];
  const Json collection = repository.json({"report", id}, 0);
  EXPECT_EQ(collection["schema"], "perf-compare/collection/1");
  EXPECT_EQ(collection["commits"][0]["workloads"][0]["invocations"], 2);
  EXPECT_EQ(repository.perf_compare({"report", id, "--junit", "-"}).exit_code, 2);
  EXPECT_TRUE(ended(repository.perf_compare({"report"}), 2, {"no finished comparison"}));

  ASSERT_EQ(repository.perf_compare({"calibrate", "--pairs", "3"}).exit_code, 0);
  const std::string calibration = repository.json({"list"}, 0)["runs"][0]["id"];
  EXPECT_TRUE(ended(repository.perf_compare({"report", calibration}), 2, {"calibrate --show"}));
}

TEST(ListAndShow, FindARunByTheBeginningOfItsId) {
  RecordedLine line(3, 3, "100");
  line.record(0, 3, [](std::size_t) { return 0.1; });
  EXPECT_TRUE(ended(line.perf_compare({"show", "machine1-"}), 2, {"ambiguous run id", "Commit 2"}));
  EXPECT_TRUE(
      ended(line.perf_compare({"report", "machime1-claimed-2"}), 2, {"did you mean machine1-cla"}));
  EXPECT_EQ(line.perf_compare({"show", "machine1-claimed-2"}).exit_code, 0);
  const Outcome nothing = line.perf_compare({"show", "nowhere"});
  EXPECT_TRUE(ended(nothing, 2, {"no such run or revision"}));
  EXPECT_TRUE(contains(nothing.err, "\n      list the runs: perf-compare list\n"))
      << "each line of a hint stands below the first:";

  const TemporaryFolder empty;
  EXPECT_TRUE(
      ended(run({PERF_BINARY_DIR "/bin/perf-compare", "list", "--db", "none.db"}, empty.path()), 3,
            {"no store yet"}));
  EXPECT_TRUE(fs::is_empty(empty.path())) << "looking makes no store";
}

TEST(ListAndShow, ListTheNewestRunsFirst) {
  RecordedLine line(30, 30, "100");
  line.record(0, 15, [](std::size_t) { return 0.1; });
  line.record(
      15, 30, [](std::size_t) { return 0.1; }, "machine2", "other");
  const Outcome outcome = line.perf_compare({"list"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.rfind("20 runs, the latest of 30", 0), 0U) << outcome.out;
  std::size_t start = outcome.out.find('\n', 0) + 1;  // the path in the headline may be long
  for (std::size_t end; (end = outcome.out.find('\n', start)) != std::string::npos;
       start = end + 1) {
    EXPECT_LE(end - start, 100U) << outcome.out.substr(start, end - start);
  }
  EXPECT_LT(outcome.out.find("Commit 29"), outcome.out.find("Commit 28"));
  EXPECT_FALSE(contains(outcome.out, "Commit 9"));

  const auto list = [&line](std::vector<std::string> more) {
    more.insert(more.begin(), {"list", "--json", "-"});
    return Json::parse(line.perf_compare(more).out);
  };
  const Json few = list({"--limit", "3", "-w", "cl*"});
  EXPECT_EQ(few["runs"].size(), 3U);
  EXPECT_EQ(few["more"], true);
  EXPECT_EQ(few["all"], 30);
  EXPECT_EQ(few["runs"][0]["head"]["subject"], "Commit 14");
  EXPECT_EQ(few["runs"][0]["finished"], false) << "it never had a report";
  EXPECT_EQ(few["runs"][0]["processes"], 1);
  EXPECT_TRUE(few["runs"][0]["base"].is_null());
  EXPECT_EQ(list({"-w", "other"})["runs"].size(), 15U);
  EXPECT_EQ(list({"-w", "nothing"})["runs"].size(), 0U);
  EXPECT_EQ(line.perf_compare({"list", "--limit", "0"}).exit_code, 2);
}

TEST(ListAndShow, DescribeARevision) {
  RecordedLine line(5, 5, "100");
  line.record(0, 5, [](std::size_t commit) { return 0.1 + 0.01 * static_cast<double>(commit); });
  EXPECT_TRUE(ended(line.perf_compare({"show", "HEAD~1"}), 0, {"Commit 3"}));
  const Json shown = Json::parse(line.perf_compare({"show", "HEAD~1", "--json", "-"}).out);
  EXPECT_EQ(shown["schema"], "perf-compare/revision/1");
  EXPECT_EQ(shown["revision"]["oid"], line.oids[3]);
  EXPECT_EQ(shown["runs"].size(), 1U);
  ASSERT_FALSE(shown["series"].empty());
  for (const Json& series : shown["series"]) {
    EXPECT_EQ(series["processes"], 1);
    if (series["metric"] == "step_time") {
      EXPECT_NEAR(series["median"], 0.13, 0.01);
    }
  }
  EXPECT_EQ(
      Json::parse(line.perf_compare({"show", "HEAD~1", "-w", "no", "--json", "-"}).out)["series"]
          .size(),
      0U);
}

TEST(ListAndShow, CountEveryRunOfARevision) {
  RecordedLine line(2, 2, "100");
  constexpr int kRuns = 25;
  for (int i = 0; i < kRuns; ++i) {
    line.record(
        1, 2, [](std::size_t) { return 0.1; }, "machine1", "part" + std::to_string(i));
  }
  {
    Store store(line.path() / ".perf-compare" / "results.db");
    Plan plan = store.load_plan("machine1-part0-1");
    plan.run_id = "another-size";
    plan.size = "full";
    store.begin_run(plan, {}, "test", "2019-01-01T00:00:00Z");
    Invocation invocation = store.load("machine1-part0-1").invocations.at(0);
    store.add(plan.run_id, invocation);
  }
  line.record(
      1, 2, [](std::size_t) { return 0.1; }, "machine1", "last");
  const Json shown = Json::parse(line.perf_compare({"show", "HEAD", "--json", "-"}).out);
  EXPECT_EQ(shown["runs"].size(), 20U);
  EXPECT_EQ(shown["more"], true);
  std::set<std::string> workloads, sizes;
  for (const Json& series : shown["series"]) {
    workloads.insert(series["workload"]);
    sizes.insert(series["size"]);
  }
  EXPECT_EQ(workloads.size(), kRuns + 1U) << "those of older runs too";
  EXPECT_EQ(sizes.size(), 2U);
}

TEST(ListAndShow, ReadBesideAWriter) {
  const MeasuredHistory repository;
  repository.json({"HEAD~2", "HEAD~1"}, 1);
  const std::string before = content_of(repository.db());
  // A writer in the middle of its transaction: readers go on with what was there before it.
  const std::string writer =
      "import sqlite3, subprocess, sys\n"
      "c = sqlite3.connect(sys.argv[1]); c.execute('BEGIN IMMEDIATE')\n"
      "for command in ('report', 'list', 'show'):\n"
      "    print(subprocess.run([sys.argv[2], command], stdout=subprocess.DEVNULL).returncode)\n";
  const Outcome beside = run({"/usr/bin/python3", "-c", writer, repository.db().string(),
                              PERF_BINARY_DIR "/bin/perf-compare"},
                             repository.path());
  EXPECT_EQ(beside.out, "1\n0\n0\n") << beside.err;
  fs::permissions(repository.db(), fs::perms::owner_read);
  for (const char* command : {"report", "list", "show"}) {
    EXPECT_LE(repository.perf_compare({command}).exit_code, 1) << command;
  }
  EXPECT_TRUE(before == content_of(repository.db()));
}

TEST(ListAndShow, EscapeAForeignStore) {
  MeasuredHistory repository;
  repository.write("work", "131");
  repository.commit("\x1b]0;owned\x07 ::error::taken ##[error] <script>");
  repository.json({"HEAD~1", "HEAD"}, 1);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"report"}, {"list"}, {"show"}, {"show", "HEAD"}}) {
    const Outcome outcome = repository.perf_compare(command);
    for (const std::string& text : {outcome.out, outcome.err}) {
      EXPECT_FALSE(contains(text, "\x1b")) << command.front();
      EXPECT_FALSE(contains(text, "\x07")) << command.front();
      EXPECT_FALSE(contains(text, "##[error]")) << command.front();
    }
  }
}

}  // namespace
}  // namespace perf::test
