#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "schema/config.h"
#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/formats/foreign.h"
#include "schema/formats/judge_cases.h"
#include "schema/formats/report_json.h"
#include "schema/formats/steps.h"
#include "schema/workload_name.h"
#include "tests/schema/mutation/mutator.h"

namespace perf {
namespace {

constexpr int kTexts = 20'000;
/// A message is for one line of a report, whatever the file held.
constexpr std::size_t kLongestMessage = 600;

const std::vector<std::string> kStepsSeeds{
    R"({"type":"begin","protocol":1,"workload":"a/b","params":{"layers":4,"x":"y"},"tokens_per_step":4096}
{"type":"environment","blas":"OpenBLAS","threads":2}
{"type":"step","index":0,"warmup":true,"seconds":0.0123,"rss":123456,"phases":{"forward":0.004,"backward":0.007}}
{"type":"step","index":1,"warmup":false,"seconds":0.0123,"rss":123456}
{"type":"metric","name":"first_token_time","unit":"s","better":"lower","value":0.021,"judge":false}
{"type":"check","name":"matches","passed":true,"error":3.1e-6,"tolerance":1e-4}
{"type":"end"}
)",
    "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"a\"}\r\n{\"type\":\"step\",\"seconds\":1}"
    "\r\n{\"type\":\"end\"}\r\n"
    "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"b\"}\n{\"type\":\"step\",\"seconds\":2}\n{"
    "\"type\":\"end\"}"};

const std::vector<std::string> kConfigSeeds{
    R"(// comment
{ "$schema": "s", "build": { "command": ["make", "bench"], "timeout": "30m" }, "baselines": { "release": "v1" },
  "workloads": [ { "name": "a/b", "command": ["bin", "run"], "format": "steps", "params": {"layers": 4},
                   "sizes": {"smoke": {"layers": 1}, "ci": false}, "timeout": "5m", "metrics": {"m": {"threshold": "1%"}} },
                 { "name": "c", "command": ["x"] } ], /* more */
  "policy": { "threshold": "10%", "alpha": "1%", "budget": "10m", "metrics": {"peak_rss": {"threshold": "5%"}},
              "workloads": {"a/*": {"threshold": "3%"}} },
  "targets": [ {"name": "t", "metric": "step_time", "of": "a/b", "over": "c", "at_least": 2.0, "size": "full"},
               {"name": "u", "of": "c", "at_most": "2m"} ] })"};

const std::vector<std::string> kJudgeSeeds{
    R"({"cases": {"one": {"threshold": 0.02, "base": [[1.5, 2], [3]], "head": [[4], [5, 6e-3]]}, "two": {"base": [], "head": []}}})"};

/// Feeds a reader with damaged texts. It must return, or throw an Error with a place and a message
/// of bounded length; anything else ends the test. Both outcomes must occur, or the damage is no
/// test of anything.
void expect_value_or_error(const std::vector<std::string>& seeds, const std::string& place,
                           const std::function<void(const std::string&)>& read,
                           int fewest_refused = kTexts / 2) {
  Mutator mutator(20240607, seeds);
  int taken = 0;
  int refused = 0;
  for (int i = 0; i < kTexts; ++i) {
    const std::string text = mutator.next();
    try {
      read(text);
      ++taken;
    } catch (const Error& error) {
      ++refused;
      ASSERT_EQ(error.subject.rfind(place, 0), 0u) << error.subject;
      ASSERT_FALSE(error.what.empty());
      ASSERT_LT(error.what.size() + error.hint.size(), kLongestMessage) << error.what;
      ASSERT_EQ(error.what.find('\x1b'), std::string::npos);
    }
  }
  EXPECT_GT(taken, kTexts / 200);
  EXPECT_GT(refused, fewest_refused);
}

TEST(Mutation, KeepsStepsValidOrReportsALine) {
  expect_value_or_error(kStepsSeeds, "line ", [](const std::string& text) {
    const std::vector<Block> blocks = formats::read_steps(text);
    ASSERT_FALSE(blocks.empty());
    for (const Block& block : blocks) {
      ASSERT_TRUE(block.workload.empty() || fault_in_workload_name(block.workload).empty());
      ASSERT_FALSE(block.steps.empty());
      for (const Step& step : block.steps) {
        ASSERT_TRUE(std::isfinite(std::log(step.seconds)));
      }
      for (const MetricValue& reported : block.metrics) {
        ASSERT_TRUE(std::isfinite(reported.value * reported.value));
      }
    }
  });
}

TEST(Mutation, KeepsConfigsSafeOrReportsAPlace) {
  expect_value_or_error(kConfigSeeds, "perf-compare.json:", [](const std::string& text) {
    const Config config = read_config(text, "perf-compare.json");
    ASSERT_FALSE(config.workloads.empty());
    for (const ConfiguredWorkload& entry : config.workloads) {
      ASSERT_EQ(fault_in_workload_name(entry.workload.name), "");
      ASSERT_FALSE(entry.workload.command.empty());
      ASSERT_GT(entry.workload.timeout, 0);
    }
    ASSERT_GT(config.policy.threshold, 0);
    ASSERT_GT(config.policy.alpha, 0);
  });
}

TEST(Mutation, KeepsJudgeCasesUsableOrReportsAPlace) {
  expect_value_or_error(kJudgeSeeds, "cases.json:", [](const std::string& text) {
    for (const JudgeCase& one : formats::read_judge_cases(text, "cases.json")) {
      ASSERT_EQ(one.base.size(), one.head.size());
      for (const std::vector<double>& invocation : one.base) {
        ASSERT_FALSE(invocation.empty());
      }
    }
  });
}

std::string file_text(const std::string& name) {
  return content_of(PERF_SOURCE_DIR "/tests/" + name);
}

void expect_usable(const SampleSet& set) {
  ASSERT_FALSE(set.series.empty() && set.failures.empty() && set.warnings.empty() &&
               set.lost.empty());
  for (const SampleSeries& series : set.series) {
    ASSERT_FALSE(series.name.empty());
    ASSERT_FALSE(series.metric.name.empty());
    ASSERT_FALSE(series.values.empty());
    for (const double value : series.values) {
      ASSERT_TRUE(std::isfinite(value * value));
    }
  }
}

TEST(Mutation, KeepsGoBenchmarkUsableOrReportsALine) {
  expect_value_or_error(
      {file_text("schema/formats/files/go.txt"), "BenchmarkX-8 1 2 ns/op"}, "old.txt:",
      [](const std::string& text) {
        expect_usable(formats::read_foreign("go", text, "old.txt").at(0).samples);
      },
      kTexts / 100);
}

const std::string kGoogleSeed =
    R"({"context": {"host_name": "vm", "num_cpus": 2, "caches": [{"type": "Data", "level": 1, "size": 9}]},
"benchmarks": [{"name": "BM", "run_name": "BM", "run_type": "iteration", "iterations": 7, "real_time": 4.4e+02,
"cpu_time": 1.4e+02, "time_unit": "ns", "misses": 3}, {"name": "BM_cv", "run_type": "aggregate", "misses": NaN},
{"name": "B", "run_type": "iteration", "error_occurred": true, "error_message": "no", "time_unit": "us"}]})";

TEST(Mutation, KeepsGoogleBenchmarkUsableOrReportsAPlace) {
  expect_value_or_error({kGoogleSeed}, "old.json:", [](const std::string& text) {
    expect_usable(formats::read_foreign("google-benchmark", text, "old.json").at(0).samples);
  });
}

const std::string kReportSeed =
    R"({"schema": "perf-compare/report/2", "head": {"oid": "abc", "dirty": false}, "size": "ci",
"environments": [{"fingerprint": "f", "machine": {"cpu": "x"}}], "comparisons": [{"workload": "w", "params": {"n": 4},
"metric": "step_time", "unit": "s", "better": "lower", "judged": true, "head": {"median": 0.5, "cov": null, "steps": 8}}]})";

TEST(Mutation, KeepsReportsUsableOrReportsAPlace) {
  expect_value_or_error({kReportSeed}, "r.json:", [](const std::string& text) {
    const formats::ReportFile report = formats::read_report_json(text, "r.json");
    for (const SampleSeries& series : report.sessions.front().series) {
      ASSERT_TRUE(std::isfinite(series.summary->median * series.summary->median));
    }
  });
}

/// Damaged foreign texts: usable sessions whose blocks the protocol would have let through, or an
/// error with a place.
void expect_sessions(std::string_view format, const std::vector<std::string>& seeds,
                     int fewest_refused = kTexts / 4) {
  expect_value_or_error(
      seeds, "old:",
      [&](const std::string& text) {
        for (const ImportedSession& session : formats::read_foreign(format, text, "old")) {
          for (const Block& block : formats::blocks_of(session.samples).blocks) {
            ASSERT_EQ(fault_in_workload_name(block.workload), "");
            ASSERT_FALSE(block.steps.empty() && block.metrics.empty());
            for (const Step& step : block.steps) {
              ASSERT_TRUE(std::isfinite(std::log(step.seconds)));
            }
            for (const MetricValue& reported : block.metrics) {
              ASSERT_TRUE(std::isfinite(reported.value * reported.value));
            }
          }
        }
      },
      fewest_refused);
}

TEST(Mutation, KeepsHyperfineUsableOrReportsAPlace) {
  expect_sessions("hyperfine", {R"({"results": [{"command": "sleep 1", "mean": 1.0, "median": 1.0,
"user": 0.1, "system": 0.2, "times": [1.01, 1.02], "memory_usage_byte": [4096, 8192], "exit_codes": [0, 0],
"parameters": {"n": "0.005"}}, {"command": "false", "median": 2, "exit_codes": [1, null]}]})"});
}

TEST(Mutation, KeepsPytestBenchmarkUsableOrReportsAPlace) {
  expect_sessions("pytest-benchmark",
                  {R"({"machine_info": {"system": "Linux", "cpu": {"brand_raw": "X", "count": 4}},
"commit_info": {"id": "2a9f", "dirty": true}, "datetime": "2024-03-01T09:15:00.1+00:00", "benchmarks": [
{"name": "a", "fullname": "t.py::a[1]", "params": {"n": 1}, "stats": {"median": 0.2, "data": [0.1, 0.2]}},
{"name": "b", "params": null, "stats": {"median": 0.2}}]})"});
}

TEST(Mutation, KeepsCriterionUsableOrReportsAPlace) {
  expect_sessions("criterion",
                  {"{\"reason\":\"benchmark-complete\",\"id\":\"norm\",\"iteration_count\":[30,60],"
                   "\"measured_values\":[1242,2484],\"unit\":\"ns\",\"throughput\":"
                   "[{\"per_iteration\":8,\"unit\":\"bytes\"}]}\n{\"reason\":\"group-complete\"}\n",
                   "test a ... bench: 1,234 ns/iter (+/- 56) = 5 MB/s\ntest b ... FAILED\n"});
}

TEST(Mutation, KeepsAsvUsableOrReportsAPlace) {
  expect_sessions("asv", {R"({"commit_hash": "5e1f", "params": {"machine": "m", "cpu": "X"},
"result_columns": ["result", "params", "started_at", "samples"], "results": {
"s.time_sort": [[0.002, null, NaN, 0.03], [["1", "2"], ["'a'", "'b'"]], 1704110405000, [[0.1, 0.2], null]],
"s.mem_x": [[8192], []], "s.track_y": [[4.5]], "s.time_z": [null]}, "version": 2})"});
}

TEST(Mutation, KeepsGithubActionBenchmarkUsableOrReportsAPlace) {
  expect_sessions("github-action-benchmark", {R"(window.BENCHMARK_DATA = {"entries": {"S": [
{"commit": {"id": "45d7"}, "date": 1573312140323, "tool": "go", "benches": [
{"name": "B", "value": 254, "unit": "ns/op"}, {"name": "B - B/op", "value": 2, "unit": "B/op"}]},
{"commit": {"id": "b840"}, "tool": "pytest", "benches": [{"name": "p", "value": 4e4, "unit": "iter/sec"}]}]}};)"});
}

TEST(Mutation, KeepsCriterionFilesUsableOrReportsAPlace) {
  const std::string benchmark = R"({"full_id":"fib/10","throughput":{"Bytes":100}})";
  const std::string sample =
      R"({"sampling_mode":"Linear","iters":[10.0,20.0],"times":[1000.0,3000.0]})";
  expect_value_or_error({sample}, "new/", [&](const std::string& text) {
    expect_usable(formats::read_criterion_files({{"new", benchmark, text}}, "target").samples);
  });
  expect_value_or_error(
      {benchmark}, "new/",
      [&](const std::string& text) {
        expect_usable(formats::read_criterion_files({{"new", text, sample}}, "target").samples);
      },
      kTexts / 4);
}

}  // namespace
}  // namespace perf
