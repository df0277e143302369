#include "analyzer/selftest/selftest.h"

#include <gtest/gtest.h>

#include "analyzer/analyze.h"
#include "reporter/text/sentences.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pairs;
using scripted::failed_invocation;
using scripted::plan_of;

constexpr int kPairs = 16;

/// A report row as A/A leaves it.
Comparison quiet_row(const std::string& workload, const Metric& metric, double median,
                     double threshold = 0.10) {
  Comparison row;
  row.workload = workload;
  row.metric = metric;
  row.threshold = threshold;
  row.base = SideStats{};
  row.base->median = median;
  row.verdict = Verdict::unchanged;
  return row;
}

Report quiet_report(std::vector<Comparison> rows) {
  Report report;
  report.comparisons = std::move(rows);
  return report;
}

Plant only_plant(PlantKind kind, const Report& quiet) {
  const std::vector<Plant> plants = choose_plants(kind, plan_of({"w"}), quiet);
  EXPECT_EQ(plants.size(), 1U);
  return plants.at(0);
}

TEST(ChoosePlants, StopsProgramsWithoutSuchAParameter) {
  const Plant plant =
      only_plant(PlantKind::slowdown, quiet_report({quiet_row("w", kStepTime, 0.1)}));
  EXPECT_EQ(plant.refused, "");
  EXPECT_EQ(plant.way, PlantWay::stop_and_go);
  EXPECT_DOUBLE_EQ(plant.amount, 0.15);
  EXPECT_DOUBLE_EQ(plant.period, 0.02) << "five in a step";
}

TEST(ChoosePlants, KeepsPeriodsWithinTheirBounds) {
  const auto period_of = [](double step) {
    return only_plant(PlantKind::slowdown, quiet_report({quiet_row("w", kStepTime, step)})).period;
  };
  EXPECT_EQ(period_of(10), kLongestPeriod);
  EXPECT_EQ(period_of(0.010), kShortestPeriod);
}

TEST(ChoosePlants, RefusesStepsTooShortToBeStoppedIn) {
  const Plant plant =
      only_plant(PlantKind::slowdown, quiet_report({quiet_row("w", kStepTime, 0.0031)}));
  EXPECT_EQ(plant.refused,
            "its steps of 3.1 ms are too short to be stopped; they must last 10.0 ms");
  EXPECT_EQ(
      only_plant(PlantKind::slowdown, quiet_report({quiet_row("w", kStepTime, 0.0101)})).refused,
      "");
}

TEST(ChoosePlants, UsesTheParameterOfTheWorkload) {
  Report quiet =
      quiet_report({quiet_row("w", kStepTime, 0.0001), quiet_row("w", kPeakRss, 50e6, 0.04)});
  quiet.workload_facts["w"]["plants"] = "allocation,slowdown";
  const Plant slowdown = only_plant(PlantKind::slowdown, quiet);
  EXPECT_EQ(slowdown.way, PlantWay::parameter);
  EXPECT_EQ(slowdown.refused, "") << "its own clock knows short steps too";
  const Plant allocation = only_plant(PlantKind::allocation, quiet);
  EXPECT_EQ(allocation.way, PlantWay::parameter);
  EXPECT_EQ(allocation.amount, 3e6);

  quiet.workload_facts["w"]["plants"] = "slowdowns, allocation";
  EXPECT_NE(only_plant(PlantKind::slowdown, quiet).way, PlantWay::parameter);
  EXPECT_EQ(only_plant(PlantKind::allocation, quiet).way, PlantWay::preload);
}

TEST(ChoosePlants, PlantsMoreWhereThePeakMayBeTheLaunchers) {
  const auto bytes_of = [](double peak) {
    return only_plant(PlantKind::allocation, quiet_report({quiet_row("w", kPeakRss, peak)})).amount;
  };
  EXPECT_NEAR(bytes_of(20e6), 3e6, 1);
  EXPECT_NEAR(bytes_of(2e6), 2.3e6, 1);
}

TEST(ChoosePlants, TakesTheLargestThresholdAndTheShortestStepOfSeveralSeries) {
  const Plant plant =
      only_plant(PlantKind::slowdown, quiet_report({quiet_row("w/a", kStepTime, 0.2, 0.05),
                                                    quiet_row("w/b", kStepTime, 0.05, 0.20)}));
  EXPECT_DOUBLE_EQ(plant.amount, 0.30);
  EXPECT_DOUBLE_EQ(plant.period, 0.01);
}

TEST(ChoosePlants, SeparatesSeriesFromWorkloadsOfTheSameName) {
  const std::vector<Plant> plants = choose_plants(
      PlantKind::slowdown, plan_of({"w", "w/a"}),
      quiet_report({quiet_row("w", kStepTime, 0.2, 0.10), quiet_row("w/a", kStepTime, 0.2, 0.30)}));
  ASSERT_EQ(plants.size(), 2U);
  EXPECT_DOUBLE_EQ(plants[0].amount, 0.15);
  EXPECT_DOUBLE_EQ(plants[1].amount, 0.45);
}

TEST(ChoosePlants, RefusesWhatWasNotMeasured) {
  Comparison failed = quiet_row("w", kStepTime, 0);
  failed.base.reset();
  EXPECT_EQ(only_plant(PlantKind::slowdown, quiet_report({failed})).refused,
            "its step_time is not measured");
  EXPECT_EQ(only_plant(PlantKind::allocation, quiet_report({})).refused,
            "its peak_rss is not measured");
}

TEST(PlantedPlan, SetsParametersOfHeadOnly) {
  Plan plan = plan_of({"own", "stopped", "refused"});
  plan.workloads[0].workload.params["layers"] = std::int64_t{2};
  Plant own{"own", PlantKind::slowdown, PlantWay::parameter, 0.15};
  Plant stopped{"stopped", PlantKind::slowdown, PlantWay::stop_and_go, 0.15, 0.01};
  Plant refused{"refused", PlantKind::slowdown, PlantWay::stop_and_go, 0.15, 0.01, "too short"};
  const Plan planted = planted_plan(plan, {own, stopped, refused});
  ASSERT_EQ(planted.workloads.size(), 2U);
  const Params head = workload_at(planted.workloads[0], Side::head).params;
  const Params base = workload_at(planted.workloads[0], Side::base).params;
  EXPECT_EQ(head, (Params{{"layers", std::int64_t{2}}, {"plant-slowdown", 0.15}}));
  EXPECT_EQ(base, (Params{{"layers", std::int64_t{2}}, {"plant-slowdown", 0.0}}));
  EXPECT_FALSE(planted.workloads[1].base_params);
  EXPECT_EQ(planted.warnings.size(), 2U) << "the store says what these numbers are";
  EXPECT_EQ(reporter::sentence(planted.warnings[0]),
            "planted in own at head: a slowdown of 15 %, by its own parameter");

  own.kind = PlantKind::allocation;
  own.amount = 3e6;
  const Plan allocated = planted_plan(plan, {own});
  EXPECT_EQ(to_text(allocated.workloads[0].workload.params.at("plant-allocation")), "3000000");
  EXPECT_EQ(to_text(allocated.workloads[0].base_params->at("plant-allocation")), "0");
}

/// One arm of one workload whose head takes `time` and `memory` times what base does, and whose
/// processes took `wall` times as long.
std::vector<SelftestRow> rows_of_arm(const std::vector<Plant>& plants, double time, double memory,
                                     int pairs = kPairs, double wall = 1.15) {
  const Plan plan = plan_of({"w"});
  Measurements measurements;
  add_pairs(measurements, "w", pairs, time, memory);
  for (Invocation& invocation : measurements.invocations) {
    invocation.process.wall = invocation.side == Side::base ? 0.5 : 0.5 * wall;
  }
  return selftest_rows(plan, plants, analyze(plan, measurements, {}, {}), measurements);
}

const Plant kSlower{"w", PlantKind::slowdown, PlantWay::stop_and_go, 0.15, 0.01};
const Plant kLarger{"w", PlantKind::allocation, PlantWay::parameter, 150'000};

TEST(SelftestRows, ListAllJudgedMetricsWithoutAPlant) {
  const std::vector<SelftestRow> rows = rows_of_arm({}, 1, 1);
  ASSERT_EQ(rows.size(), 2U);
  for (const SelftestRow& row : rows) {
    EXPECT_EQ(row.outcome, SelftestOutcome::passed);
    EXPECT_EQ(row.expected, Verdict::unchanged);
    EXPECT_EQ(row.verdict, Verdict::unchanged);
    EXPECT_EQ(row.why, "");
    EXPECT_NEAR(row.seconds, kPairs * (0.5 + 0.5 * 1.15), 1e-9);
  }
  EXPECT_EQ(gate_state(rows), GateState::unproven) << "nothing was caught yet";
}

TEST(SelftestRows, CallAChangeWithoutAPlantAFalseAlarm) {
  for (const double change : {1.2, 1 / 1.2}) {
    const std::vector<SelftestRow> rows = rows_of_arm({}, change, 1);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].metric.name, "peak_rss");
    EXPECT_EQ(rows[0].outcome, SelftestOutcome::passed);
    EXPECT_EQ(rows[1].outcome, SelftestOutcome::false_alarm);
    EXPECT_EQ(gate_state(rows), GateState::broken);
  }
}

TEST(SelftestRows, CatchASlowdown) {
  const std::vector<SelftestRow> rows = rows_of_arm({kSlower}, 1.15, 1);
  ASSERT_EQ(rows.size(), 1U) << "only what was planted is asked about";
  EXPECT_EQ(rows[0].metric.name, "step_time");
  EXPECT_EQ(rows[0].expected, Verdict::regressed);
  EXPECT_EQ(rows[0].outcome, SelftestOutcome::caught);
  EXPECT_NEAR(*rows[0].change, 0.15, 0.01);
  EXPECT_EQ(gate_state(rows), GateState::works);
}

TEST(SelftestRows, ReportASlowdownWithoutEffectAsMissed) {
  const std::vector<SelftestRow> rows = rows_of_arm({kSlower}, 1, 1);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].outcome, SelftestOutcome::missed);
  EXPECT_EQ(rows[0].why, "called unchanged");
  EXPECT_EQ(gate_state(rows), GateState::broken);
}

TEST(SelftestRows, NameStopsWithoutEffect) {
  const std::vector<SelftestRow> rows = rows_of_arm({kSlower}, 1, 1, kPairs, 1.04);
  EXPECT_EQ(rows.at(0).outcome, SelftestOutcome::refused);
  EXPECT_EQ(rows[0].why,
            "stopped for 15 % of its running time, it took only 4 % longer from start to end: the "
            "machine is too busy for this test");
  EXPECT_EQ(rows_of_arm({kSlower}, 1, 1, kPairs, 1.11).at(0).outcome, SelftestOutcome::missed)
      << "the process was slower by more than the threshold, and nobody noticed";
  EXPECT_EQ(rows_of_arm({kSlower}, 1.15, 1, kPairs, 1.04).at(0).outcome, SelftestOutcome::caught);
  Plant own = kSlower;
  own.way = PlantWay::parameter;
  EXPECT_EQ(rows_of_arm({own}, 1, 1, kPairs, 1).at(0).outcome, SelftestOutcome::missed);
}

TEST(SelftestRows, MissAnImprovement) {
  EXPECT_EQ(rows_of_arm({kSlower}, 0.8, 1).at(0).outcome, SelftestOutcome::missed);
}

TEST(SelftestRows, CatchAnAllocation) {
  const std::vector<SelftestRow> rows = rows_of_arm({kLarger}, 1, 1.4);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].metric.name, "peak_rss");
  EXPECT_EQ(rows[0].outcome, SelftestOutcome::caught);
}

TEST(SelftestRows, NameAPreloadThatFailed) {
  Plant preloaded = kLarger;
  preloaded.way = PlantWay::preload;
  const std::vector<SelftestRow> rows = rows_of_arm({preloaded}, 1, 1);
  EXPECT_EQ(rows.at(0).outcome, SelftestOutcome::refused);
  EXPECT_NE(rows[0].why.find("did not reach"), std::string::npos);
  EXPECT_EQ(rows_of_arm({kLarger}, 1, 1).at(0).outcome, SelftestOutcome::missed)
      << "a workload's own word is taken";
}

TEST(SelftestRows, AreNotMeasuredAfterAnEarlyEnd) {
  for (const int pairs : {0, 3}) {
    const std::vector<SelftestRow> rows = rows_of_arm({kSlower}, 1.15, 1, pairs);
    ASSERT_EQ(rows.size(), 1U) << pairs;
    EXPECT_EQ(rows[0].outcome, SelftestOutcome::not_measured);
    EXPECT_NE(rows[0].why, "");
    EXPECT_EQ(gate_state(rows), GateState::unproven);
  }
}

TEST(SelftestRows, GiveTheReasonOfAFailedWorkload) {
  const Plan plan = plan_of({"w"});
  Measurements measurements;
  for (const Side side : {Side::base, Side::head}) {
    for (const int attempt : {1, 2}) {
      measurements.invocations.push_back(failed_invocation("w", side, 0, attempt, "exit status 9"));
    }
  }
  const Report report = analyze(plan, measurements, {}, {});
  const std::vector<SelftestRow> slower = selftest_rows(plan, {kSlower}, report, measurements);
  EXPECT_EQ(slower.at(0).outcome, SelftestOutcome::not_measured);
  EXPECT_EQ(reporter::why_text(slower[0]), "fails on both sides alike: exit status 9");
  Plant preloaded = kLarger;
  preloaded.way = PlantWay::preload;
  const std::vector<SelftestRow> larger = selftest_rows(plan, {preloaded}, report, measurements);
  EXPECT_EQ(larger.at(0).outcome, SelftestOutcome::refused);
  EXPECT_EQ(reporter::why_text(larger[0]),
            "it fails with the preloaded library: fails on both sides alike: exit status 9");
}

TEST(SelftestRows, GiveTheReasonOfARefusal) {
  Plant refused = kSlower;
  refused.refused = "its steps are too short";
  std::vector<SelftestRow> rows = selftest_rows(plan_of({"w"}), {refused}, {}, {});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].outcome, SelftestOutcome::refused);
  EXPECT_EQ(rows[0].why, "its steps are too short");
  EXPECT_FALSE(rows[0].verdict);
  EXPECT_EQ(gate_state(rows), GateState::unproven);
  rows.push_back(rows_of_arm({kSlower}, 1.15, 1).at(0));
  EXPECT_EQ(gate_state(rows), GateState::unproven) << "one caught does not prove the other";
}

TEST(SelftestRows, AreAnsweredWhereTheirOwnVerdictsAre) {
  EXPECT_TRUE(is_answered(rows_of_arm({kSlower}, 1.15, 1)));
  EXPECT_TRUE(is_answered(rows_of_arm({kSlower}, 1, 1)));
  EXPECT_FALSE(is_answered(rows_of_arm({kSlower}, 1.15, 1, 3)));
  EXPECT_FALSE(is_answered(rows_of_arm({}, 1, 1, 0)));
  SelftestRow refused;
  refused.plant.refused = "too short";
  EXPECT_TRUE(is_answered({refused}));
}

TEST(GateStateTest, IsBrokenBeforeItIsUnproven) {
  std::vector<SelftestRow> rows(3);
  rows[0].outcome = SelftestOutcome::caught;
  rows[1].outcome = SelftestOutcome::refused;
  rows[2].outcome = SelftestOutcome::missed;
  EXPECT_EQ(gate_state(rows), GateState::broken);
  EXPECT_EQ(gate_state({}), GateState::unproven);
}

}  // namespace
}  // namespace perf
