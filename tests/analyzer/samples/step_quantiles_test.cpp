#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "analyzer/samples/standing.h"
#include "reporter/text/wording.h"
#include "schema/readings.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::invocation_of;
using scripted::plan_of;

constexpr const char* kP90 = "step_time.p90";
constexpr const char* kP99 = "step_time.p99";

Policy judging(const std::string& metric, double threshold = 0.10) {
  Policy policy;
  policy.thresholds = {{"", metric, threshold}};
  return policy;
}

/// A process of so many steps of about 10 ms. One in 20 is an outlier, 50 % slower and, where the
/// tail is set, longer than that by the factor. Each process has a level of its own.
std::vector<double> tailed_steps(std::mt19937& random, int count, double tail = 1) {
  std::normal_distribution<double> noise(0, 0.02);
  const double level = 0.010 * std::exp(noise(random) / 2);
  std::vector<double> steps;
  for (int i = 0; i < count; ++i) {
    const bool is_slow = random() % 20 == 0;
    steps.push_back(level * std::exp(noise(random)) * (is_slow ? 1.5 * tail : 1));
  }
  return steps;
}

Measurements measured_tails(std::mt19937& random, int pairs, int steps, double tail = 1) {
  Measurements measurements;
  for (int pair = 0; pair < pairs; ++pair) {
    measurements.invocations.push_back(
        invocation_of("w", Side::base, pair, tailed_steps(random, steps)));
    measurements.invocations.push_back(
        invocation_of("w", Side::head, pair, tailed_steps(random, steps, tail)));
  }
  return measurements;
}

Report report_judging(const Measurements& measurements, const Policy& policy) {
  return analyze(plan_of({"w"}), measurements, policy, {});
}

const Comparison& row_of_metric(const Report& report, const std::string& metric) {
  static const Comparison kNone;
  const auto found = std::ranges::find(report.comparisons, metric,
                                       [](const Comparison& one) { return one.metric.name; });
  EXPECT_NE(found, report.comparisons.end()) << metric;
  return found == report.comparisons.end() ? kNone : *found;
}

TEST(StepQuantiles, AreOneValueAProcess) {
  std::mt19937 random(1);
  const Report report = report_judging(measured_tails(random, 16, 100), judging(kP90));
  EXPECT_EQ(report.judged, 3) << "beside step_time and peak_rss";
  const Comparison& tail = row_of_metric(report, kP90);
  EXPECT_EQ(tail.metric, (Metric{kP90, "s", Better::lower}));
  EXPECT_EQ(tail.verdict, Verdict::unchanged);
  EXPECT_EQ(tail.head->invocations, 12) << "of the first look";
  EXPECT_EQ(tail.head->steps, 0) << "its values are those of processes";
  EXPECT_LT(tail.head->max, 1) << "the warm-up step of 100 s does not count";
}

TEST(StepQuantiles, MedianIsThatOfStepTime) {
  std::mt19937 random(2);
  const Report report = report_judging(measured_tails(random, 16, 30), judging("step_time.p50"));
  EXPECT_EQ(row_of_metric(report, "step_time.p50").change,
            row_of_metric(report, "step_time").change);
  EXPECT_EQ(row_of_metric(report, "step_time.p50").interval->low,
            row_of_metric(report, "step_time").interval->low);
}

TEST(StepQuantiles, AreNotThereUnlessNamed) {
  std::mt19937 random(3);
  const Measurements measurements = measured_tails(random, 12, 100);
  EXPECT_EQ(report_judging(measurements, {}).comparisons.size(), 2U);
  Policy other = judging(kP90);
  other.thresholds.front().workload_glob = "v";
  EXPECT_EQ(report_judging(measurements, other).comparisons.size(), 2U);
  Policy only;
  only.metrics = {kP90};
  const Report report = report_judging(measurements, only);
  ASSERT_EQ(report.comparisons.size(), 1U);
  EXPECT_EQ(report.judged, 1);
  EXPECT_EQ(report.comparisons.front().metric.name, kP90);
}

TEST(StepQuantiles, FailWhereOneProcessOfOneSideHasTooFewSteps) {
  std::mt19937 random(4);
  for (const Side side : {Side::base, Side::head}) {
    Measurements measurements = measured_tails(random, 12, 100);
    Invocation& last = measurements.invocations[side == Side::base ? 22 : 23];
    last.blocks.front().steps.pop_back();
    const Report report = report_judging(measurements, judging(kP90));
    const Comparison& tail = row_of_metric(report, kP90);
    EXPECT_EQ(tail.verdict, Verdict::failed);
    EXPECT_EQ(reporter::reason_of(tail),
              "a process at " + std::string(to_string(side)) +
                  " has 99 timed steps: step_time.p90 needs 100 in each");
    EXPECT_EQ(row_of_metric(report, "step_time").verdict, Verdict::unchanged);
    EXPECT_EQ(report.summary.verdict, Verdict::failed);
    EXPECT_EQ(report.judged, 3) << "m was frozen before";
  }
}

TEST(StepQuantiles, FailAlsoWhereHeadIsAlone) {
  std::mt19937 random(5);
  Measurements measurements;
  for (int run = 0; run < 3; ++run) {
    measurements.invocations.push_back(
        invocation_of("w", Side::head, run, tailed_steps(random, 50)));
    measurements.invocations.back().paired = false;
  }
  const Report report = analyze(plan_of({"w"}, false), measurements, judging(kP90), {});
  EXPECT_EQ(row_of_metric(report, kP90).verdict, Verdict::failed);
  EXPECT_EQ(row_of_metric(report, "step_time").verdict, Verdict::fresh);
}

TEST(StepQuantiles, TakeAsManyStepsAsTheyNeed) {
  const Plan plan = plan_of({"w", "v"});
  Policy policy = judging(kP99);
  policy.thresholds.front().workload_glob = "w";
  const auto steps_wanted = [&](const Measurements& measurements, std::size_t workload) {
    const auto demand = next(standing_of(plan, measurements, policy));
    return demand ? demand->workloads.at(workload).steps : 0;
  };
  EXPECT_EQ(steps_wanted({}, 0), 1000);
  EXPECT_EQ(steps_wanted({}, 1), policy.initial_steps);
  std::mt19937 random(6);
  Measurements pilot = measured_tails(random, 4, 1000);
  const Measurements beside = measured_tails(random, 1, 8);
  for (Invocation invocation : beside.invocations) {
    invocation.workload = "v";
    pilot.invocations.push_back(invocation);
  }
  EXPECT_EQ(steps_wanted(pilot, 0), 1000) << "the choice by noise asks for no fewer";
}

/// Each process has a level of its own: steps of one process together would look like evidence.
TEST(StepQuantiles, EqualSidesHardlyEverDiffer) {
  constexpr int kReports = 200, kMostFalse = 6;  // of 1 %: more in 0.4 % of seeds
  std::mt19937 random(20260101);
  int false_verdicts = 0;
  for (int i = 0; i < kReports; ++i) {
    const Report report =
        report_judging(measured_tails(random, 20, 200), judging("step_time.p95", 0.05));
    false_verdicts +=
        report.summary.verdict == Verdict::regressed || report.summary.verdict == Verdict::improved
            ? 1
            : 0;
  }
  EXPECT_LE(false_verdicts, kMostFalse);
}

TEST(StepQuantiles, FindAChangeOfTheTailAlone) {
  std::mt19937 random(20260102);
  for (int i = 0; i < 10; ++i) {
    const Report report = report_judging(measured_tails(random, 24, 1000, 1.15), judging(kP99));
    EXPECT_EQ(row_of_metric(report, kP99).verdict, Verdict::regressed);
    EXPECT_NEAR(row_of_metric(report, kP99).change.value_or(0), 0.15, 0.03);
    EXPECT_EQ(row_of_metric(report, "step_time").verdict, Verdict::unchanged);
  }
}

TEST(StepQuantiles, MeetTargetsOnlyWithEnoughSteps) {
  Target target;
  target.name = "fast tail";
  target.metric = kP90;
  target.of = "w";
  target.at_most = 1;
  std::mt19937 random(7);
  for (const int steps : {100, 99}) {
    const Report report =
        analyze(plan_of({"w"}), measured_tails(random, 12, steps), judging(kP90), {target});
    ASSERT_EQ(report.targets.size(), 1U);
    EXPECT_EQ(report.targets[0].met.has_value(), steps == 100);
  }
}

TEST(StepQuantiles, OfTheSameProgramAreUnchanged) {
  Plan plan = plan_of({"w"});
  plan.workloads.front().trace_record = TraceRecord{"program", "program", ""};
  Measurements measurements;
  for (const Side side : {Side::base, Side::head}) {
    measurements.invocations.push_back(invocation_of("w", side, 0, {0.01, 0.01}));
    measurements.invocations.back().traced = true;
  }
  const Report report = analyze(plan, measurements, judging(kP99), {});
  EXPECT_EQ(row_of_metric(report, kP99).verdict, Verdict::unchanged)
      << "traced steps are not timed";
  EXPECT_EQ(row_of_metric(report, kP99).change, 0);
}

}  // namespace
}  // namespace perf
