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
  const Outcome outcome = repository.perf_compare({"calibrate", "--pairs", "16", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json calibration = Json::parse(outcome.out);
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
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_NE(none.err.find("was never calibrated"), std::string::npos) << none.err;

  const Outcome measured = repository.perf_compare({"calibrate", "--pairs", "6", "--json", "-"});
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  const Outcome shown = repository.perf_compare({"calibrate", "--show", "--json", "-"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(Json::parse(shown.out), Json::parse(measured.out));
  EXPECT_NE(shown.out.find("noise_hardly_known"), std::string::npos);

  const Outcome text = repository.perf_compare({"calibrate", "--show"});
  EXPECT_EQ(text.out.rfind("Calibrated: none of 2 comparisons", 0), 0U) << text.out;
  EXPECT_EQ(repository.perf_compare({"calibrate", "--show", "--size", "smoke"}).exit_code, 3);
}

TEST(Calibrate, FailsIfNothingRuns) {
  const CalibratedRepository repository("#!/bin/sh\nexit 1\n");
  const Outcome outcome = repository.perf_compare({"calibrate", "--pairs", "4"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.out;
  EXPECT_NE(outcome.out.find("not calibrated: claimed"), std::string::npos) << outcome.out;
}

TEST(Calibrate, StoresWhyNothingCouldRun) {
  CalibratedRepository repository;
  repository.write("perf-compare.json", R"({ "build": { "command": ["sh", "-c", "exit 3"] },
    "workloads": [ { "name": "claimed", "command": ["./bench"] } ] })");
  repository.commit("Break the build");
  EXPECT_EQ(repository.perf_compare({"calibrate", "--pairs", "4"}).exit_code, 3);
  const Outcome shown = repository.perf_compare({"show", "--json", "-"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  const Json run = Json::parse(shown.out);
  EXPECT_EQ(run["run"]["kind"], "calibrate");
  EXPECT_NE(run["workloads"][0]["head_failed"].dump().find("exit status 3"), std::string::npos)
      << run["workloads"];
}

TEST(Control, RunsBaseAgainstItselfBesideTheComparison) {
  const CalibratedRepository repository;
  const Outcome outcome = repository.perf_compare({"HEAD~1", "HEAD", "--control", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 1) << outcome.err;  // 30 % slower, and no control changes that
  const Json report = Json::parse(outcome.out);
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
  EXPECT_NE(report["reproduce"][0].get<std::string>().find("--control"), std::string::npos);
}

// Both sides of a control arm run base's checkout: head's 30 % must not show there.
TEST(Control, ReportsThatAllIsQuiet) {
  const CalibratedRepository repository;
  const Outcome outcome = repository.perf_compare({"HEAD~1", "HEAD", "--control"});
  EXPECT_NE(outcome.out.find("control arms: 2 of 2 quiet"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace perf::test
