#include "schema/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "schema/error.h"
#include "schema/store/connection.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

Calibration calibration_of(const Plan& plan) {
  Calibration calibration;
  calibration.id = plan.run_id;
  calibration.generated_at = "2026-01-02T03:04:05Z";
  calibration.tool_version = "0.1.0";
  calibration.revision = plan.head;
  calibration.environment = plan.environment;
  calibration.size = plan.size;
  calibration.seed = plan.seed;
  calibration.alpha = example::policy().alpha;
  calibration.looks = example::policy().looks;
  calibration.judged = 2;
  calibration.replays = 1000;
  calibration.measured = 61.5;
  CalibratedMetric series;
  series.workload = "parser";
  series.params = {{"layers", std::int64_t{4}}, {"rate", 0.1}, {"name", std::string("x")}};
  series.metric = {"tokens_per_second", "1/s", Better::higher};
  series.pairs = 3;
  series.robust_sd = 0.011;
  series.sd = 0.012;
  series.p95 = 0.1 + 0.2;  // no short text: must come back to the last bit
  series.worst = 0.4;
  series.autocorrelation = -0.25;
  series.block = 4;
  series.seconds_per_pair = 0.7;
  series.verdict = Verdict::improved;
  series.threshold = 0.05;
  series.change = -0.06;
  series.interval = Interval{-0.09, -0.03};
  series.smallest_threshold = 0.017;
  series.visible = {{14, 0.05}, {21, 0.04}};
  series.thresholds = {{0.01, 0.25, 0.005, 40.5, 28.35, 0.75, std::nullopt},
                       {0.10, 1, 0, 14, 9.8, 0, 0.5}};
  series.pair_changes = {0.01, -0.02, 1.0 / 3};
  calibration.series.push_back(series);
  CalibratedMetric bare;
  bare.workload = "training/mlp_stack";
  bare.metric = kPeakRss;
  bare.threshold = 0.10;
  calibration.series.push_back(bare);
  calibration.reports = {{0.05, 0.5, 0.01, 60, 40, std::nullopt, std::nullopt}};
  calibration.not_measured = {"b: head failed: \"exit 1\""};
  return calibration;
}

void print(std::ostream& out, const std::optional<double>& value) {
  value ? out << *value << " " : out << "- ";
}

void print(std::ostream& out, const std::vector<CalibratedThreshold>& thresholds) {
  for (const CalibratedThreshold& at : thresholds) {
    out << at.threshold << " " << at.unchanged << " " << at.false_alarms << " " << at.mean_pairs
        << " " << at.seconds << " ";
    print(out, at.one_run_alarms);
    print(out, at.five_runs_alarms);
    out << "\n";
  }
}

std::string dump(const Calibration& calibration) {
  std::ostringstream out;
  out << std::hexfloat << calibration.id << " " << calibration.generated_at << " "
      << calibration.tool_version << " " << calibration.revision.oid << " "
      << calibration.revision.subject << " " << calibration.revision.parents.size() << " "
      << calibration.revision.name << " " << calibration.environment.fingerprint << " "
      << calibration.environment.machine.size() << " " << calibration.environment.facts.size()
      << " " << calibration.size << " " << calibration.seed << " " << calibration.alpha << " "
      << calibration.looks << " " << calibration.judged << " " << calibration.replays << " "
      << calibration.measured << " " << calibration.interrupted << "\n";
  for (const CalibratedMetric& series : calibration.series) {
    out << series.workload << " ";
    for (const auto& [name, value] : series.params) {
      out << name << "=" << to_text(value) << "(" << value.index() << ") ";
    }
    out << series.metric.name << " " << series.metric.unit << " "
        << (series.metric.better == Better::lower) << " " << series.pairs << " " << series.robust_sd
        << " " << series.sd << " " << series.p95 << " " << series.worst << " ";
    print(out, series.autocorrelation);
    out << series.block << " " << series.seconds_per_pair << " "
        << (series.verdict ? to_string(*series.verdict) : "-") << " " << series.threshold << " ";
    print(out, series.change);
    print(out, series.interval ? std::optional(series.interval->low) : std::nullopt);
    print(out, series.interval ? std::optional(series.interval->high) : std::nullopt);
    print(out, series.smallest_threshold);
    for (const VisibleAtLook& at : series.visible) {
      out << at.pairs << ":" << at.change << " ";
    }
    for (const double change : series.pair_changes) {
      out << change << " ";
    }
    out << "\n";
    print(out, series.thresholds);
  }
  print(out, calibration.reports);
  for (const std::string& line : calibration.not_measured) {
    out << line << "\n";
  }
  return out.str();
}

struct CalibrationStore : testing::Test {
  example::Folder folder;
  std::filesystem::path file = folder / "results.db";
  Store store{file};

  Plan begin(const std::string& id, const std::string& size = "ci") {
    Plan plan = example::plan(id);
    plan.purpose = Purpose::calibrate;
    plan.size = size;
    store.begin_run(plan, example::policy(), "0.1.0");
    return plan;
  }
};

TEST_F(CalibrationStore, LoadsWhatItStored) {
  const Plan plan = begin("run-1");
  const Calibration calibration = calibration_of(plan);
  store.add_calibration(calibration);
  const auto found = store.latest_calibration(plan.environment.fingerprint, "ci");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(dump(*found), dump(calibration));
  EXPECT_TRUE(found->warnings.empty());
  EXPECT_TRUE(store.problems().empty());
}

TEST_F(CalibrationStore, FindsTheLatestOfTheMachineAndSize) {
  const Plan first = begin("run-1"), second = begin("run-2"), smoke = begin("run-3", "smoke");
  for (const Plan& plan : {first, second, smoke}) {
    store.add_calibration(calibration_of(plan));
  }
  const std::string& here = first.environment.fingerprint;
  EXPECT_EQ(store.latest_calibration(here, "ci")->id, "run-2");
  EXPECT_EQ(store.latest_calibration(here, "smoke")->id, "run-3");
  EXPECT_EQ(store.latest_calibration(here)->id, "run-3");
  EXPECT_FALSE(store.latest_calibration(here, "full").has_value());
  EXPECT_FALSE(store.latest_calibration("another machine", "ci").has_value());
}

TEST_F(CalibrationStore, StoresOnePerRunAtomically) {
  const Plan plan = begin("run-1");
  EXPECT_THROW(store.add_calibration(calibration_of(example::plan("nobody"))), Error);
  Calibration broken = calibration_of(plan);
  broken.series[1].robust_sd = std::nan("");
  EXPECT_THROW(store.add_calibration(broken), Error);
  EXPECT_FALSE(store.latest_calibration(plan.environment.fingerprint).has_value());
  store.add_calibration(calibration_of(plan));
  EXPECT_THROW(store.add_calibration(calibration_of(plan)), Error);
}

TEST_F(CalibrationStore, RefusesAnUnknownVerdict) {
  const Plan plan = begin("run-1");
  store.add_calibration(calibration_of(plan));
  {
    store::Connection connection(file, store::Connection::Access::read_write);
    connection.execute(
        "UPDATE calibration SET result = json_set(result, '$.series[0].verdict', 'fine')");
  }
  EXPECT_THROW(store.latest_calibration(plan.environment.fingerprint), Error);
}

}  // namespace
}  // namespace perf
