// `perf-compare calibrate` and `--control` as a user runs them, on benchmarks that claim their
// times.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

struct CalibratedRepository : ScratchRepository {
  explicit CalibratedRepository(const std::string& benchmark = kClaimedBenchmark) {
    write("bench", benchmark, true);
    write("perf-compare.json", kClaimedConfig);
    write("work", "100");
    commit("Add a benchmark");
    write("work", "130");
    commit("Compute more");
  }
};

const Json& series(const Json& calibration, const std::string& metric) {
  for (const Json& one : calibration.at("series")) {
    if (one.at("metric") == metric) {
      return one;
    }
  }
  throw std::runtime_error("no series of " + metric);
}

TEST(Calibrate, MeasuresARevisionAgainstItself) {
  const CalibratedRepository repository;
  const Json calibration = repository.json({"calibrate", "--pairs", "16"});
  EXPECT_EQ(calibration["schema"], "perf-compare/calibration/1");
  EXPECT_EQ(calibration["revision"]["subject"], "Compute more");
  EXPECT_EQ(calibration["judged"], 2);
  EXPECT_EQ(calibration["warnings"], Json::array());
  const Json& time = series(calibration, "step_time");
  EXPECT_EQ(time["pairs"], 16);
  EXPECT_EQ(time["verdict"], "unchanged");
  // The benchmark's noise is 1 % from end to end; of medians of 8 steps, half of that at most.
  EXPECT_GT(time["sd"], 0.0005);
  EXPECT_LT(time["worst"], 0.01);
  EXPECT_EQ(time["thresholds"][3]["unchanged"], 1.0);
  EXPECT_EQ(time["thresholds"][3]["false_alarms"], 0.0);
}

TEST(Calibrate, ShowsTheStoredCalibration) {
  const CalibratedRepository repository;
  const Outcome none = repository.perf_compare({"calibrate", "--show"});
  EXPECT_TRUE(ended(none, 3, {"was never calibrated"}));

  const Json measured = repository.json({"calibrate", "--pairs", "6"});
  const Outcome shown = repository.perf_compare({"calibrate", "--show", "--json", "-"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(Json::parse(shown.out), measured);
  EXPECT_TRUE(contains(shown.out, "noise_hardly_known"));

  const Outcome text = repository.perf_compare({"calibrate", "--show"});
  EXPECT_EQ(text.out.rfind("Calibrated: none of 2 comparisons", 0), 0U) << text.out;
  EXPECT_EQ(repository.perf_compare({"calibrate", "--show", "--size", "smoke"}).exit_code, 3);
}

TEST(Calibrate, FailsIfNothingRuns) {
  const CalibratedRepository repository("#!/bin/sh\nexit 1\n");
  const Outcome outcome = repository.perf_compare({"calibrate", "--pairs", "4"});
  EXPECT_TRUE(ended(outcome, 3));
  EXPECT_TRUE(contains(outcome.out, "not calibrated: claimed"));
}

TEST(Calibrate, StoresWhyNothingCouldRun) {
  CalibratedRepository repository;
  repository.write("perf-compare.json", R"({ "build": { "command": ["sh", "-c", "exit 3"] },
    "workloads": [ { "name": "claimed", "command": ["./bench"] } ] })");
  repository.commit("Break the build");
  EXPECT_EQ(repository.perf_compare({"calibrate", "--pairs", "4"}).exit_code, 3);
  const Json run = repository.json({"show"});
  EXPECT_EQ(run["run"]["kind"], "calibrate");
  EXPECT_TRUE(contains(run["workloads"][0]["head_failed"].dump(), "exit status 3"))
      << run["workloads"];
}

TEST(Control, RunsBaseAgainstItselfBesideTheComparison) {
  const CalibratedRepository repository;
  // Head is 30 % slower, and no control changes that.
  const Json report = repository.json({"HEAD~1", "HEAD", "--control"}, 1);
  EXPECT_EQ(report["judged"], 2);
  for (const Json& row : report["comparisons"]) {
    EXPECT_EQ(row["workload"], "claimed");
  }
  ASSERT_EQ(report["controls"].size(), 2U);
  for (const Json& control : report["controls"]) {
    EXPECT_EQ(control["workload"], "claimed");
    EXPECT_EQ(control["alarmed"], false) << control;
    EXPECT_GE(control["pairs"], 12);  // peak_rss is real, and may take another look
  }
  EXPECT_TRUE(contains(report["reproduce"][0].get<std::string>(), "--control"));
}

// Both sides of a control arm run base's checkout: head's 30 % must not show there.
TEST(Control, ReportsThatAllIsQuiet) {
  const CalibratedRepository repository;
  const Outcome outcome = repository.perf_compare({"HEAD~1", "HEAD", "--control"});
  EXPECT_TRUE(contains(outcome.out, "control arms: 2 of 2 quiet"));
}

}  // namespace
}  // namespace perf::test
