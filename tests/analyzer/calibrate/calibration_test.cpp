#include "analyzer/calibrate/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "analyzer/collect/collection.h"
#include "analyzer/rule/look_schedule.h"
#include "analyzer/statistics/pair_order.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pair;
using scripted::failed_invocation;
using scripted::plan_of;

/// Identical code whose pairs scatter normally; `shift` is what a lying machine adds to the second.
Measurements identical(const std::vector<std::string>& workloads, int pairs, double deviation,
                       double shift = 0) {
  Measurements measurements;
  std::mt19937_64 engine(11);
  std::normal_distribution<double> normal(0, deviation);
  for (int pair = 0; pair < pairs; ++pair) {
    for (const std::string& workload : workloads) {
      add_pair(measurements, workload, pair, 0.010, 0.010 * std::exp(shift + normal(engine)),
               1'000'000, 1'000'000);
    }
  }
  return measurements;
}

const CalibratedMetric& series_of(const Calibration& calibration, const std::string& workload,
                                  const std::string& metric) {
  for (const CalibratedMetric& series : calibration.series) {
    if (series.workload == workload && series.metric.name == metric) {
      return series;
    }
  }
  throw std::out_of_range("no series " + workload + " " + metric);
}

const CalibratedThreshold& at(const std::vector<CalibratedThreshold>& thresholds, double wanted) {
  for (const CalibratedThreshold& one : thresholds) {
    if (one.threshold == wanted) {
      return one;
    }
  }
  throw std::out_of_range("no such threshold");
}

bool warns(const Calibration& calibration, WarningKind kind) {
  return std::any_of(calibration.warnings.begin(), calibration.warnings.end(),
                     [kind](const Warning& warning) { return warning.kind == kind; });
}

Policy with_pairs(int pairs) {
  Policy policy;
  policy.max_pairs = pairs;
  return policy;
}

/// What is still wanted of every workload.
std::optional<Demand> next_calibration(const Plan& plan, const Measurements& measurements,
                                       const Policy& policy, int pairs) {
  return next_collection(standing_of(plan, measurements, policy),
                         std::vector<int>(plan.workloads.size(), pairs), /*alone=*/false);
}

TEST(Calibrate, FindsNoProblemOnAQuietMachine) {
  const Calibration calibration = calibrate(
      standing_of(plan_of({"a", "b"}), identical({"a", "b"}, 32, 0.01), with_pairs(32)), 200);
  EXPECT_EQ(calibration.judged, 4);
  EXPECT_EQ(calibration.replays, 200);
  ASSERT_EQ(calibration.series.size(), 4U);
  EXPECT_EQ(calibration.series[0].metric.name, "peak_rss");
  EXPECT_TRUE(calibration.warnings.empty());

  const CalibratedMetric& time = series_of(calibration, "a", "step_time");
  EXPECT_EQ(time.pairs, 32);
  EXPECT_EQ(time.pair_changes.size(), 32U);
  EXPECT_NEAR(time.sd, 0.01, 0.003);
  EXPECT_NEAR(time.robust_sd, 0.01, 0.004);
  EXPECT_GE(time.worst, time.p95);
  EXPECT_EQ(time.block, 1);
  EXPECT_EQ(time.verdict, Verdict::unchanged);
  EXPECT_EQ(time.threshold, 0.10);
  // Two processes of three steps of 10 ms each and 50 ms beside them.
  EXPECT_NEAR(time.seconds_per_pair, 0.16, 0.001);
  const CalibratedThreshold& wide = at(time.thresholds, 0.10);
  EXPECT_EQ(wide.unchanged, 1);
  EXPECT_EQ(wide.false_alarms, 0);
  EXPECT_GE(wide.mean_pairs, 13);  // n_1 of m = 4; a few seem correlated there
  EXPECT_NEAR(wide.mean_pairs, 13, 0.5);
  EXPECT_NEAR(wide.seconds, wide.mean_pairs * time.seconds_per_pair, 1e-9);

  // Memory that is always the same is proven within anything at the first look.
  const CalibratedMetric& memory = series_of(calibration, "a", "peak_rss");
  EXPECT_EQ(at(memory.thresholds, 0.01).unchanged, 1);
  EXPECT_EQ(memory.smallest_threshold, 0);
  EXPECT_EQ(memory.worst, 0);
}

TEST(Calibrate, ReportsThePairsNeededAtEachThreshold) {
  const Calibration calibration =
      calibrate(standing_of(plan_of({"a"}), identical({"a"}, 32, 0.05), with_pairs(32)), 300);
  const CalibratedMetric& time = series_of(calibration, "a", "step_time");
  ASSERT_EQ(time.thresholds.size(), 4U);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GE(time.thresholds[i].unchanged, time.thresholds[i - 1].unchanged);
    EXPECT_LE(time.thresholds[i].mean_pairs, time.thresholds[i - 1].mean_pairs);
    EXPECT_LE(*time.thresholds[i].one_run_alarms, *time.thresholds[i - 1].one_run_alarms);
  }
  EXPECT_EQ(time.thresholds[3].unchanged, 1);
  EXPECT_LT(time.thresholds[0].unchanged, 0.2);        // 1 % under a noise of 5 % cannot be proven
  EXPECT_GT(*time.thresholds[0].one_run_alarms, 0.4);  // where one run each cries of 1 % mostly

  ASSERT_EQ(time.visible.size(), 6U);
  EXPECT_EQ(time.visible[0].pairs, look_schedule(Policy{}, 2).front());
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_LT(time.visible[i].change, time.visible[i - 1].change);
  }
  ASSERT_TRUE(time.smallest_threshold.has_value());
  EXPECT_GT(*time.smallest_threshold, time.visible.back().change / 2);
  EXPECT_LT(*time.smallest_threshold, 0.05);
}

// Every workload is measured until the last of its metrics is decided, and all of them make up the
// report's cost; an alarm anywhere is an alarm of the report.
TEST(Calibrate, SummarizesTheWorkloadsOfAReport) {
  const Calibration calibration = calibrate(
      standing_of(plan_of({"a", "b"}), identical({"a", "b"}, 32, 0.01), with_pairs(32)), 200);
  ASSERT_EQ(calibration.reports.size(), 4U);
  const CalibratedThreshold& wide = at(calibration.reports, 0.10);
  EXPECT_EQ(wide.unchanged, 1);
  EXPECT_NEAR(wide.mean_pairs, 2 * 13, 1);
  EXPECT_NEAR(wide.seconds, 26 * 0.16, 0.1);
  const CalibratedThreshold& narrow = at(calibration.reports, 0.01);
  const double either =
      std::max(*at(series_of(calibration, "a", "step_time").thresholds, 0.01).one_run_alarms,
               *at(series_of(calibration, "b", "step_time").thresholds, 0.01).one_run_alarms);
  EXPECT_GE(*narrow.one_run_alarms, either);
  EXPECT_LE(narrow.unchanged,
            at(series_of(calibration, "a", "step_time").thresholds, 0.01).unchanged);
}

TEST(Calibrate, WarnsWhereIdenticalCodeIsCalledChanged) {
  const Calibration calibration =
      calibrate(standing_of(plan_of({"a"}), identical({"a"}, 32, 0.01, 0.2), with_pairs(32)), 100);
  const CalibratedMetric& time = series_of(calibration, "a", "step_time");
  EXPECT_EQ(time.verdict, Verdict::regressed);
  EXPECT_TRUE(warns(calibration, WarningKind::false_alarm));
  // What a biased machine does to the noise is taken out before the replays.
  EXPECT_EQ(at(time.thresholds, 0.10).false_alarms, 0);
}

TEST(Calibrate, WarnsOfCorrelatedPairs) {
  Measurements measurements;
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal(0, 0.03);
  double difference = 0;
  for (int pair = 0; pair < 64; ++pair) {
    difference = 0.95 * difference + normal(engine);
    add_pair(measurements, "a", pair, 0.010, 0.010 * std::exp(difference), 1'000'000, 1'000'000);
  }
  const Calibration calibration =
      calibrate(standing_of(plan_of({"a"}), measurements, with_pairs(64)), 3000);
  const CalibratedMetric& time = series_of(calibration, "a", "step_time");
  EXPECT_EQ(time.block, 4);
  EXPECT_GT(*time.autocorrelation, 0.5);
  EXPECT_TRUE(warns(calibration, WarningKind::autocorrelated));
  // The promise is for independent pairs, and the replays say what it is worth without them.
  EXPECT_GT(at(time.thresholds, 0.01).false_alarms, 0.01);
  EXPECT_TRUE(warns(calibration, WarningKind::false_alarm_rate));
}

TEST(Calibrate, WarnsOfTooFewPairsAndOfWhatWasNotMeasured) {
  Measurements measurements = identical({"a"}, 5, 0.01);
  for (int attempt = 1; attempt <= 2; ++attempt) {
    measurements.invocations.push_back(failed_invocation("b", Side::base, 0, attempt, "exit 1"));
    measurements.invocations.push_back(failed_invocation("b", Side::head, 0, attempt, "exit 1"));
  }
  const Calibration calibration =
      calibrate(standing_of(plan_of({"a", "b"}), measurements, with_pairs(32)), 50);
  EXPECT_EQ(calibration.series.size(), 2U);
  EXPECT_TRUE(warns(calibration, WarningKind::noise_hardly_known));
  ASSERT_EQ(calibration.not_measured.size(), 1U);
  EXPECT_EQ(calibration.not_measured[0].rfind("b: ", 0), 0U);
  EXPECT_TRUE(warns(calibration, WarningKind::not_calibrated));
  EXPECT_FALSE(series_of(calibration, "a", "step_time").thresholds[0].five_runs_alarms.has_value());
}

TEST(Calibrate, ReportsThatNothingRan) {
  const Calibration calibration = calibrate(standing_of(plan_of({"a"}), {}, with_pairs(32)));
  EXPECT_TRUE(calibration.series.empty());
  EXPECT_TRUE(calibration.reports.empty());
}

// The replay is the rule itself: the same sequences through `decide` end the same way.
TEST(CalibrationReplay, StopsWhereTheRuleStops) {
  constexpr int kReplays = 40;
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal(0, 0.03);
  std::vector<double> differences(32);
  std::generate(differences.begin(), differences.end(), [&] { return normal(engine); });
  const Policy policy;
  Rule rule;
  rule.look_alpha = look_alpha(policy, 8);
  rule.most_looks = policy.looks;
  rule.looks = look_schedule(policy, 8);
  const Replays replay = replay_identical(differences, 1, rule, policy, kReplays, 9);

  NoiseSource noise(differences, 1, 9);
  std::vector<double> sequence(static_cast<std::size_t>(rule.looks.back()));
  int inconclusive = 0;
  for (std::size_t i = 0; i < kReplays; ++i) {
    noise.draw(sequence);
    for (std::size_t threshold = 0; threshold < std::size(kCalibratedThresholds); ++threshold) {
      rule.bounds = bounds_for(kCalibratedThresholds[threshold], policy);
      const Decision decision = decide(sequence, rule, true);
      EXPECT_EQ(replay.ends[threshold][i].verdict, decision.verdict);
      EXPECT_EQ(replay.ends[threshold][i].pairs, decision.pairs);
      inconclusive += decision.decided() ? 0 : 1;
    }
    // Just above its reach a threshold is proven, just below it is not.
    rule.bounds = bounds_for(std::expm1(replay.reach[i] * 1.001), policy);
    EXPECT_EQ(decide(sequence, rule, true).verdict, Verdict::unchanged);
    rule.bounds = bounds_for(std::expm1(replay.reach[i] * 0.999), policy);
    EXPECT_NE(decide(sequence, rule, true).verdict, Verdict::unchanged);
  }
  EXPECT_GT(inconclusive, 0);
}

TEST(NextCalibration, TakesThePilotThenTheRest) {
  const Plan plan = plan_of({"a", "b"});
  const Policy policy = with_pairs(20);
  std::optional<Demand> demand = next_calibration(plan, {}, policy, 20);
  ASSERT_TRUE(demand.has_value());
  ASSERT_EQ(demand->workloads.size(), 2U);
  EXPECT_EQ(demand->workloads[0].count, policy.pilot_pairs);
  EXPECT_EQ(demand->workloads[0].steps, policy.initial_steps);
  EXPECT_TRUE(demand->workloads[0].paired);

  demand = next_calibration(plan, identical({"a", "b"}, policy.pilot_pairs, 0.01), policy, 20);
  ASSERT_TRUE(demand.has_value());
  EXPECT_EQ(demand->workloads[1].count, 20 - policy.pilot_pairs);

  EXPECT_FALSE(next_calibration(plan, identical({"a", "b"}, 20, 0.01), policy, 20).has_value());
  EXPECT_EQ(next_calibration(plan, {}, policy, 2)->workloads[0].count, 2);
}

TEST(NextCalibration, EndsWithTheBudgetAndLeavesOutWhatFails) {
  const Plan plan = plan_of({"a", "b"});
  Measurements spent = identical({"a", "b"}, 4, 0.01);
  spent.budget_spent = true;
  EXPECT_FALSE(next_calibration(plan, spent, with_pairs(20), 20).has_value());

  Measurements failing = identical({"a"}, 4, 0.01);
  for (int attempt = 1; attempt <= 2; ++attempt) {
    failing.invocations.push_back(failed_invocation("b", Side::head, 0, attempt, "exit 1"));
  }
  const std::optional<Demand> demand = next_calibration(plan, failing, with_pairs(20), 20);
  ASSERT_TRUE(demand.has_value());
  ASSERT_EQ(demand->workloads.size(), 1U);
  EXPECT_EQ(demand->workloads[0].workload, 0U);
}

}  // namespace
}  // namespace perf
