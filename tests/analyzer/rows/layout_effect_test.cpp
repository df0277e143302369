#include "analyzer/rows/layout_effect.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reporter/text/sentences.h"

namespace perf {
namespace {

Comparison flagged(double change = 0.15) {
  Comparison row;
  row.workload = "w";
  row.metric = kStepTime;
  row.change = change;
  row.verdict = change > 0 ? Verdict::regressed : Verdict::improved;
  row.look_alpha = 0.01 / (2 * 6);
  return row;
}

TEST(LayoutEffect, AppliesToFlaggedTimesOnly) {
  EXPECT_TRUE(is_flagged_time(flagged()));
  EXPECT_TRUE(is_flagged_time(flagged(-0.2)));
  Comparison memory = flagged();
  memory.metric = kPeakRss;
  EXPECT_FALSE(is_flagged_time(memory));
  Comparison calm = flagged();
  calm.verdict = Verdict::unchanged;
  EXPECT_FALSE(is_flagged_time(calm));
  Comparison shown = flagged();
  shown.judged = false;
  EXPECT_FALSE(is_flagged_time(shown));
}

TEST(LayoutEffect, NeedsAsManyBuildsAsTheFirstLookNeedsPairs) {
  Comparison row = flagged();
  EXPECT_EQ(layout_pairs(row), 12);  // m = 2: the table of docs/verdicts.md
  row.look_alpha = 0.01 / 6;
  EXPECT_EQ(layout_pairs(row), 11);
  row.look_alpha = 0.01 / (50 * 6);
  EXPECT_EQ(layout_pairs(row), 16);
}

constexpr double kAlpha = 0.01;
const std::vector<double> kBothWays{0.2, -0.1, 0.15, -0.2, 0.3, -0.25,
                                    0.1, -0.3, 0.22, -0.1, 0.2, -0.2};

TEST(LayoutEffect, IsFoundWhereLayoutsScatterAroundZero) {
  Comparison row = flagged();
  row.pair_changes = {0.149, 0.15, 0.151, 0.152, 0.148};
  const std::optional<LayoutEffect> effect = layout_effect(row, kBothWays, kAlpha);
  ASSERT_TRUE(effect);
  EXPECT_EQ(effect->label, "layout effect");
  EXPECT_EQ(effect->builds, 12);
  ASSERT_TRUE(effect->interval);
  EXPECT_LT(effect->interval->low, 0);
  EXPECT_GT(effect->interval->high, 0);
}

TEST(LayoutEffect, IsFoundWhereTheChangeIsGone) {
  Comparison row = flagged();
  row.pair_changes = {0.14, 0.15, 0.16, 0.15, 0.13};
  std::vector<double> nothing;
  for (int i = 0; i < 12; ++i) {
    nothing.push_back(0.01 * (i % 5 - 2));
  }
  EXPECT_EQ(layout_effect(row, nothing, kAlpha)->label, "layout effect");
}

TEST(LayoutEffect, IsUndecidedOnANoisyMachine) {
  Comparison row = flagged();
  for (const double difference : kBothWays) {
    row.pair_changes.push_back(std::expm1(difference + 0.1));
  }
  const std::optional<LayoutEffect> effect = layout_effect(row, kBothWays, kAlpha);
  ASSERT_TRUE(effect);
  EXPECT_EQ(effect->label, "");
  EXPECT_EQ(
      reporter::sentence(layout_note(*effect)),
      "the hot code is the same at base and head, but linking both anew is inconclusive: from "
      "-26 % to +35 % over 12 builds a side");
}

TEST(LayoutEffect, IsExcludedWhereTheChangeStays) {
  std::vector<double> stays;
  for (int i = 0; i < 12; ++i) {
    stays.push_back(std::log(1.15) + 0.005 * (i % 3 - 1));
  }
  const std::optional<LayoutEffect> effect = layout_effect(flagged(), stays, kAlpha);
  ASSERT_TRUE(effect);
  EXPECT_EQ(effect->label, "");
  EXPECT_NEAR(*effect->change, 0.15, 0.01);
  EXPECT_GT(effect->interval->low, 0.10);
  EXPECT_EQ(reporter::sentence(layout_note(*effect)),
            "the hot code is the same at base and head, but the change stays when both are linked "
            "anew: +15 % over 12 builds a side");
}

TEST(LayoutEffect, NeedsEnoughBuilds) {
  EXPECT_FALSE(layout_effect(flagged(), std::vector<double>(11, 0.1), kAlpha));
  EXPECT_FALSE(layout_effect(flagged(), {}, kAlpha));
}

TEST(LayoutEffect, TheTimeThatMovedMustHaveRoomInTheHotCode) {
  // +25 %: a fifth of head's time came on top.
  EXPECT_TRUE(can_explain(flagged(0.25), 0.0, 0.21));
  EXPECT_FALSE(can_explain(flagged(0.25), 0.9, 0.19));
  // -20 %: a fifth of base's time is gone.
  EXPECT_TRUE(can_explain(flagged(-0.20), 0.21, 0.0));
  EXPECT_FALSE(can_explain(flagged(-0.20), 0.19, 0.9));
}

struct Session {
  Plan plan;
  Measurements measurements;
  Policy policy;

  Session() {
    plan.base = Revision{};
    for (const char* name : {"w", "w/inner", "other"}) {
      PlannedWorkload planned;
      planned.workload.name = name;
      plan.workloads.push_back(planned);
    }
    PlannedWorkload control;
    control.workload.name = "w";
    control.control_of = "other";
    plan.workloads.push_back(control);
  }
  void add(int pair, std::uint64_t layout_seed, double base, double head, int steps = 8) {
    for (const Side side : {Side::base, Side::head}) {
      Invocation one;
      one.workload = "w";
      one.side = side;
      one.pair = pair;
      one.layout_seed = layout_seed;
      one.steps_wanted = steps;
      one.warmup_wanted = 2;
      Block block;
      block.workload = "w";
      block.steps = {{0, false, side == Side::base ? base : head, std::nullopt}};
      one.blocks = {block};
      measurements.invocations.push_back(one);
    }
  }
};

TEST(LayoutEffect, RequestsOnePairABuild) {
  Session run;
  run.add(0, 0, 1, 1, 8);
  run.add(1, 0, 1, 1, 12);
  run.add(2, 5, 1, 1, 99);
  const std::optional<Demand> demand =
      layout_demand(flagged(), run.plan, run.measurements, run.policy, 7, 30);
  ASSERT_TRUE(demand);
  EXPECT_EQ(demand->layout_seed, 7u);
  EXPECT_EQ(demand->budget_left, 30);
  ASSERT_EQ(demand->workloads.size(), 1u);
  EXPECT_EQ(demand->workloads[0].workload, 0u);
  EXPECT_EQ(demand->workloads[0].count, 1);
  EXPECT_EQ(demand->workloads[0].steps, 12);
  EXPECT_EQ(demand->workloads[0].warmup, 2);
}

TEST(LayoutEffect, TakesItsDifferencesFromRelinkedBuildsAlone) {
  Session run;
  run.add(0, 0, 1, 1.5);
  run.add(1, 1, 1, 1.1);
  run.add(2, 2, 1, 0.9);
  run.measurements.invocations.back().failure = "killed";
  run.add(3, 3, 2, 1);
  const std::vector<double> differences =
      layout_differences(flagged(), run.plan, run.measurements, run.policy);
  ASSERT_EQ(differences.size(), 2u) << "a pair with a failed side does not count";
  EXPECT_DOUBLE_EQ(differences[0], std::log(1.1));
  EXPECT_DOUBLE_EQ(differences[1], -std::log(2));
}

}  // namespace
}  // namespace perf
