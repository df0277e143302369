#include "schema/formats/report_json.h"

#include "reporter/render.h"
#include "schema/formats/foreign.h"
#include "tests/reporter/samples.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {
namespace {

std::string with_row(const std::string& row) {
  return R"({"schema": "perf-compare/report/2", "head": {"oid": "abc"}, "environments": [{}], "comparisons": [
)" + row +
         "]}";
}

const std::string kRow =
    R"({"workload": "w", "metric": "step_time", "unit": "s", "better": "lower", "head": {"median": 2}})";

TEST(ReportJson, ReadsWhatTheReporterWrites) {
  const ReportFile file = read_report_json(render_json(samples::regressed()), "regressed.json");
  EXPECT_EQ(file.head.oid.size(), 40u);
  EXPECT_FALSE(file.head.subject.empty());
  EXPECT_EQ(file.head.committed_at, 1769857200);
  EXPECT_EQ(file.head.parents.size(), 1u);
  ASSERT_EQ(file.sessions.size(), 1u);
  const SampleSet& samples = file.sessions.front();
  EXPECT_FALSE(samples.environment.fingerprint.empty());
  EXPECT_FALSE(samples.environment.machine.empty());
  ASSERT_FALSE(samples.series.empty());
  for (const SampleSeries& series : samples.series) {
    EXPECT_TRUE(series.values.empty()) << "a report holds no samples";
    ASSERT_TRUE(series.summary);
    EXPECT_GT(series.summary->median, 0) << series.name;
  }
  EXPECT_EQ(format_of(render_json(samples::regressed())).name, "report");
}

/// As it was written before there were shards.
TEST(ReportJson, ReadsTheFirstVersion) {
  const std::string first = fixture_file("report_1.json");
  EXPECT_EQ(format_of(first).name, "report");
  const ReportFile then = read_report_json(first, "report_1.json");
  const ReportFile now = read_report_json(render_json(samples::regressed()), "regressed.json");
  EXPECT_EQ(then.head.oid, now.head.oid);
  EXPECT_EQ(then.size, now.size);
  ASSERT_EQ(then.sessions.size(), 1u);
  const SampleSet& samples = then.sessions.front();
  EXPECT_EQ(samples.environment.fingerprint, now.sessions.at(0).environment.fingerprint);
  EXPECT_EQ(samples.environment.machine, now.sessions.at(0).environment.machine);
  ASSERT_EQ(samples.series.size(), now.sessions.at(0).series.size());
  EXPECT_EQ(samples.series[0].summary->median, now.sessions.at(0).series[0].summary->median);
}

/// Of shards: what each machine measured, with a workload's children.
TEST(ReportJson, ReadsASessionPerMachine) {
  const std::string text = R"({"schema": "perf-compare/report/2", "head": {"oid": "abc"},
    "environments": [{"fingerprint": "x", "workloads": ["w", "v/deep"]},
                     {"fingerprint": "y", "workloads": ["v"]}, {"fingerprint": "x"}],
    "comparisons": [)" + kRow +
                           R"(, {"workload": "v/child", "metric": "m", "unit": "s",
      "better": "lower", "head": {"median": 1}}, {"workload": "v/deep/child", "metric": "m",
      "unit": "s", "better": "lower", "head": {"median": 3}}, {"workload": "v/dead",
      "metric": "m", "unit": "s", "better": "lower", "head": null, "verdict": "failed"}]})";
  const std::vector<SampleSet> sessions = read_report_json(text, "r.json").sessions;
  ASSERT_EQ(sessions.size(), 2u);
  EXPECT_EQ(sessions[0].environment.fingerprint, "x");
  ASSERT_EQ(sessions[0].series.size(), 2u);
  EXPECT_EQ(sessions[0].series[1].name, "v/deep/child");
  ASSERT_EQ(sessions[1].series.size(), 1u);
  EXPECT_EQ(sessions[1].series[0].name, "v/child");
  EXPECT_EQ(sessions[1].failures.count({"v/dead"}), 1u);
  const SampleSet all = read_samples(text, "r.json");
  EXPECT_EQ(all.series.size(), 3u);
  EXPECT_EQ(all.failures.size(), 1u);
  EXPECT_EQ(all.environment.fingerprint, "") << "of which machine?";
}

TEST(ReportJson, ReadsEveryReportThatTheReporterCanWrite) {
  for (const Report& report :
       {samples::build_failed(), samples::empty(), samples::mixed(), samples::interrupted(),
        samples::root_commit(), samples::shards(), samples::targets()}) {
    EXPECT_NO_THROW(read_report_json(render_json(report), "report.json")) << report.id;
  }
}

TEST(ReportJson, SkipsRowsWithoutHead) {
  EXPECT_EQ(read_report_json(with_row(kRow), "r").sessions.at(0).series.size(), 1u);
  EXPECT_TRUE(read_report_json(with_row(R"({"workload": "w", "metric": "m", "unit": "s",
      "better": "lower", "head": null})"),
                               "r")
                  .sessions.at(0)
                  .series.empty());
}

TEST(ReportJson, ReadsFailuresAndTheirReasons) {
  const SampleSet set = read_report_json(with_row(kRow + R"(,
      {"workload": "w", "metric": "peak_rss", "unit": "B", "better": "lower", "head": null,
       "verdict": "failed",
       "warning_details": [{"kind": "noisy", "text": "x"},
                           {"kind": "failed", "text": "head failed: no input",
                            "about": {"side": "head", "why": "no input"}}]},
      {"workload": "v", "metric": "step_time", "unit": "s", "better": "lower", "head": null,
       "verdict": "failed"},
      {"workload": "u", "metric": "step_time", "unit": "s", "better": "lower", "head": null,
       "verdict": "missing"})"),
                                         "r")
                            .sessions.at(0);
  EXPECT_TRUE(set.series.empty()) << "what w measured before it failed";
  EXPECT_TRUE(set.of_workloads);
  ASSERT_EQ(set.failures.size(), 2u);
  EXPECT_EQ(set.failures.at({"w"}), "no input");
  EXPECT_EQ(set.failures.at({"v"}), "its report gives no reason");
}

TEST(ReportJson, RefusesWithThePlace) {
  const auto read_row = [](const std::string& row, const std::string& file) {
    read_report_json(with_row(row), file);
  };
  const std::string timed = R"({"workload": "w", "metric": "m", "unit": "s", "better": "lower", )";
  expect_refused_at(
      read_row, "r.json:2:",
      {R"({"metric": "m", "unit": "s", "better": "lower", "head": null})",
       R"({"workload": "w", "metric": "m", "unit": "s", "better": "up", "head": null})",
       R"({"workload": 1, "metric": "m", "unit": "s", "better": "lower", "head": null})",
       timed + R"("head": {}})", timed + R"("head": {"median": "1"}})",
       timed + R"("head": {"median": 1e300}})", timed + R"("head": {"median": 1, "steps": 2.5}})",
       timed + R"("head": {"median": 1, "steps": -1}})",
       timed + R"("head": {"median": 1, "invocations": 1e10}})", "1"});
  std::string other_params = kRow;
  other_params.insert(1, R"("params": {"layers": 4}, )");
  expect_refused(
      read_row, "r.json:",
      {{kRow + "," + kRow, "duplicate row"}, {kRow + "," + other_params, "duplicate row"}});
  const std::string second = R"({"schema": "perf-compare/report/2", "head": {"oid": "a"}, )";
  expect_refused_at(
      read_report_json, "r.json:1:",
      {"{}", "[]", "", R"({"schema": "perf-compare/report/3"})",
       R"({"schema": "perf-compare/report/1"})", R"({"schema": "perf-compare/report/2"})",
       second + R"("environment": {}, "comparisons": []})",
       second + R"("environments": [], "comparisons": []})"});
}

TEST(SampleFiles, AreRecognizedByContent) {
  EXPECT_EQ(format_of("goos: linux\nBenchmarkX 1 2 ns/op\n").name, "go");
  EXPECT_EQ(format_of(R"( {"context": {"x": NaN}, "benchmarks": []})").name, "google-benchmark");
  EXPECT_EQ(format_of(R"({"machine_info": {}, "benchmarks": []})").name, "pytest-benchmark");
  EXPECT_EQ(format_of(R"({"results": [{"command": "x"}]})").name, "hyperfine");
  EXPECT_EQ(format_of(R"({"result_columns": [], "results": {"a": [[NaN]]}})").name, "asv");
  EXPECT_EQ(format_of("{\"reason\": \"x\"}\n").name, "criterion");
  EXPECT_EQ(format_of("{\"reason\": \"x\"}\nwarning\n{\"reason\": \"y\"}\n").name, "criterion");
  EXPECT_EQ(format_of("test a ... bench: 7 ns/iter (+/- 1)").name, "criterion");
  EXPECT_EQ(format_of(R"({"cases": {}})").name, "cases");
  EXPECT_EQ(format_of(R"({"schema": "perf-compare/trend/1"})").name, "");
  EXPECT_EQ(format_of("[1]").name, "");
  EXPECT_EQ(format_of("{").name, "");
  EXPECT_EQ(read_samples(R"({"results": [{"command": "x", "times": [1]}]})", "f").series.size(),
            1u);
  EXPECT_EQ(read_samples("test a ... bench: 7 ns/iter (+/- 1)", "f").series.size(), 1u);
  EXPECT_THROW(read_samples(R"({"cases": {}})", "f"), UsageError);
  EXPECT_THROW(read_samples(R"({"a": 1})", "f"), UsageError);
  EXPECT_THROW(read_samples("", "f"), UsageError);
}

}  // namespace
}  // namespace perf::formats
