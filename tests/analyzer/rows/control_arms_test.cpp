#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "analyzer/rows/comparison_rows.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pairs;
using scripted::failed_invocation;
using scripted::plan_of;

/// Workloads "a" and "b", each with its control arm behind both of them.
Plan controlled() {
  Plan plan = plan_of({"a", "b", "a/control", "b/control"});
  plan.workloads[2].control_of = "a";
  plan.workloads[3].control_of = "b";
  return plan;
}

const Comparison& armed_row(const Report& report, const std::string& workload) {
  return *std::find_if(report.comparisons.begin(), report.comparisons.end(),
                       [&workload](const Comparison& one) {
                         return one.workload == workload && one.metric == kStepTime;
                       });
}

bool warns(const Comparison& comparison, WarningKind kind) {
  return std::any_of(comparison.warnings.begin(), comparison.warnings.end(),
                     [kind](const Warning& warning) { return warning.kind == kind; });
}

TEST(ControlArms, AreMeasuredPairByPairBesideTheirWorkloads) {
  const Plan plan = controlled();
  const Policy policy;
  Measurements measurements;
  std::optional<Demand> demand = next(plan, measurements, policy);
  ASSERT_TRUE(demand.has_value());
  ASSERT_EQ(demand->workloads.size(), 4U);
  const std::size_t order[] = {0, 2, 1, 3};  // each right behind its workload, round by round
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(demand->workloads[i].workload, order[i]);
    EXPECT_EQ(demand->workloads[i].count, 1);
  }

  for (const char* workload : {"a", "b", "a/control", "b/control"}) {
    add_pairs(measurements, workload, 4, 1.0, 1.0);
  }
  demand = next(plan, measurements, policy);
  ASSERT_TRUE(demand.has_value());
  EXPECT_EQ(demand->workloads[0].count, 13 - 4);  // m = 4, not 8
  EXPECT_EQ(demand->workloads[1].count, 13 - 4);
  EXPECT_EQ(demand->workloads[0].steps, demand->workloads[1].steps);
}

TEST(ControlArms, CatchUpAndStopWithTheirWorkload) {
  const Plan plan = controlled();
  Measurements measurements;
  add_pairs(measurements, "a", 4, 1.0, 1.0);
  add_pairs(measurements, "b", 13, 1.0, 1.0);  // decided
  add_pairs(measurements, "a/control", 2, 1.0, 1.0);
  add_pairs(measurements, "b/control", 2, 1.0, 1.0);
  const std::optional<Demand> demand = next(plan, measurements, Policy{});
  ASSERT_TRUE(demand.has_value());
  ASSERT_EQ(demand->workloads.size(), 2U);
  EXPECT_EQ(demand->workloads[1].workload, 2U);
  EXPECT_EQ(demand->workloads[1].count, 13 - 2);
}

TEST(ControlArms, AreGivenUpWhenTheyFail) {
  const Plan plan = controlled();
  Measurements measurements;
  for (const char* workload : {"a", "b", "b/control"}) {
    add_pairs(measurements, workload, 4, 1.0, 1.0);
  }
  for (int attempt = 1; attempt <= 2; ++attempt) {
    measurements.invocations.push_back(
        failed_invocation("a/control", Side::base, 0, attempt, "exit 1"));
    measurements.invocations.push_back(
        failed_invocation("a/control", Side::head, 0, attempt, "exit 1"));
  }
  const std::optional<Demand> demand = next(plan, measurements, Policy{});
  ASSERT_TRUE(demand.has_value());
  EXPECT_EQ(demand->workloads.size(), 3U);
  const Report report = analyze(plan, measurements, Policy{}, {});
  EXPECT_EQ(report.summary.counts.at(Verdict::failed), 0);
}

TEST(ControlArms, AreReportedWithoutCounting) {
  Measurements measurements;
  for (const char* workload : {"a", "b", "a/control", "b/control"}) {
    add_pairs(measurements, workload, 13, 1.0, 1.0);
  }
  const Report report = analyze(controlled(), measurements, Policy{}, {});
  EXPECT_EQ(report.judged, 4);
  EXPECT_EQ(report.comparisons.size(), 4U);
  EXPECT_EQ(report.summary.counts.at(Verdict::unchanged), 4);
  ASSERT_EQ(report.controls.size(), 4U);
  for (const ControlResult& control : report.controls) {
    EXPECT_FALSE(control.alarmed);
    EXPECT_EQ(control.pairs, 13);
    ASSERT_TRUE(control.interval.has_value());
  }
  EXPECT_EQ(report.controls[0].workload, "a");
  EXPECT_FALSE(warns(armed_row(report, "a"), WarningKind::control_alarm));
  EXPECT_FALSE(warns(armed_row(report, "a"), WarningKind::control_shift));
}

TEST(ControlArms, WarnOnTheRowOfAFalseAlarm) {
  Measurements measurements;
  add_pairs(measurements, "a", 13, 1.3, 1.0);
  add_pairs(measurements, "b", 13, 1.0, 1.0);
  add_pairs(measurements, "a/control", 13, 1.3, 1.0);   // base against itself: 30 % slower
  add_pairs(measurements, "b/control", 13, 1.02, 1.0);  // below the threshold, but surely there
  const Report report = analyze(controlled(), measurements, Policy{}, {});
  EXPECT_EQ(armed_row(report, "a").verdict, Verdict::regressed);
  EXPECT_TRUE(warns(armed_row(report, "a"), WarningKind::control_alarm));
  EXPECT_EQ(armed_row(report, "b").verdict, Verdict::unchanged);
  EXPECT_TRUE(warns(armed_row(report, "b"), WarningKind::control_shift));
  EXPECT_EQ(report.summary.counts.at(Verdict::regressed), 1);

  const auto alarmed = std::count_if(report.controls.begin(), report.controls.end(),
                                     [](const ControlResult& control) { return control.alarmed; });
  EXPECT_EQ(alarmed, 1);
  EXPECT_NEAR(*report.controls[1].change, 0.3, 0.01);
}

// The threshold is that of the workload, not of a workload called a/control.
TEST(ControlArms, UseTheThresholdOfTheirWorkload) {
  Policy policy;
  policy.thresholds.push_back({"a", "step_time", 0.50});
  Measurements measurements;
  for (const char* workload : {"a", "b"}) {
    add_pairs(measurements, workload, 13, 1.0, 1.0);
  }
  add_pairs(measurements, "a/control", 13, 1.3, 1.0);
  add_pairs(measurements, "b/control", 13, 1.3, 1.0);
  const Report report = analyze(controlled(), measurements, policy, {});
  EXPECT_FALSE(warns(armed_row(report, "a"), WarningKind::control_alarm));
  EXPECT_TRUE(warns(armed_row(report, "b"), WarningKind::control_alarm));
}

TEST(ControlArms, AreOmittedWhereThereAreNone) {
  Measurements measurements;
  add_pairs(measurements, "a", 13, 1.0, 1.0);
  EXPECT_TRUE(analyze(plan_of({"a"}), measurements, Policy{}, {}).controls.empty());
}

}  // namespace
}  // namespace perf
