#include <gtest/gtest.h>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "analyzer/rows/comparison_rows.h"
#include "reporter/text/sentences.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

class Counted : public ::testing::Test {
 protected:
  Plan plan = scripted::plan_of({"w"});
  Measurements measurements;
  Policy policy;

  Counted() { policy.count = true; }

  void time(double ratio, int pairs = 24) { scripted::add_pairs(measurements, "w", pairs, ratio); }
  void count(Side side, std::int64_t instructions, int pair, int attempt = 1) {
    Invocation one = scripted::invocation_of("w", side, pair, {10, 10});
    one.counted = true;
    one.attempt = attempt;
    one.process.instructions = instructions;
    measurements.invocations.push_back(one);
  }
  void count_all(std::int64_t base, std::int64_t head) {
    for (const int pair : {100, 101}) {
      count(Side::base, base, pair);
      count(Side::head, head, pair);
    }
  }
  Comparison row(const std::string& metric = "instructions") {
    return scripted::row_of(analyze(plan, measurements, policy, {}), "w", metric);
  }
};

TEST_F(Counted, CountThatRepeatsIsComparedExactly) {
  time(1.0);
  count_all(1'000'000, 1'001'000);
  const Comparison exact = row();
  EXPECT_TRUE(exact.exact);
  EXPECT_TRUE(exact.judged);
  EXPECT_DOUBLE_EQ(*exact.change, 0.001);
  EXPECT_DOUBLE_EQ(exact.interval->low, 0.001);
  EXPECT_DOUBLE_EQ(exact.interval->high, 0.001);
  EXPECT_EQ(exact.verdict, Verdict::unchanged);  // seen, but below 10 %
  EXPECT_EQ(exact.pairs, 2);
  EXPECT_EQ(exact.head->invocations, 2);
  EXPECT_TRUE(scripted::mentions(exact.notes, "0.10 % more instructions, exactly"));
}

TEST_F(Counted, UsesTheThresholdOfTheMetric) {
  time(1.0);
  count_all(1'000'000, 1'001'000);
  policy.thresholds.push_back({"", "instructions", 0.001});
  EXPECT_EQ(row().verdict, Verdict::regressed);
  EXPECT_TRUE(row().certain);
  policy.thresholds.back().threshold = 0.0011;
  EXPECT_EQ(row().verdict, Verdict::unchanged);
  measurements.invocations.clear();
  time(1.0);
  count_all(1'001'000, 1'000'000);
  policy.thresholds.back().threshold = 0.0005;
  EXPECT_EQ(row().verdict, Verdict::improved);
}

TEST_F(Counted, CountThatVariesIsInconclusiveWhereTheMetricIsAskedFor) {
  time(1.0);
  count(Side::base, 1'000'000, 100);
  count(Side::head, 1'000'000, 100);
  EXPECT_FALSE(row().judged);
  policy.metrics = {"instructions"};
  EXPECT_EQ(row().verdict, Verdict::inconclusive);  // counted once a side
  count(Side::base, 1'000'010, 101);
  count(Side::head, 1'000'000, 101);
  EXPECT_TRUE(row().judged);
  EXPECT_EQ(row().verdict, Verdict::inconclusive);
  EXPECT_EQ(row().warnings[0].kind, WarningKind::count_varies);
  EXPECT_EQ(analyze(plan, measurements, policy, {}).summary.verdict, Verdict::inconclusive);
  EXPECT_EQ(analyze(plan, measurements, policy, {}).summary.counts.at(Verdict::inconclusive), 1);
}

TEST_F(Counted, TargetsGoByTheCount) {
  time(1.0);
  Target target;
  target.name = "lean";
  target.metric = "instructions";
  target.of = "w";
  target.at_most = 1'500'000;
  policy.metrics = {"step_time"};  // what is shown is not what is known
  EXPECT_EQ(analyze(plan, measurements, policy, {target}).targets[0].met, std::nullopt);
  count_all(1'000'000, 2'000'000);
  const Report report = analyze(plan, measurements, policy, {target});
  EXPECT_EQ(report.targets[0].value, 2e6);
  EXPECT_EQ(report.targets[0].met, false);
  EXPECT_TRUE(std::none_of(report.warnings.begin(), report.warnings.end(), [](const Warning& one) {
    return one.kind == WarningKind::target_without_metric;
  }));
}

TEST_F(Counted, TargetsGoByTheCountOfTheSideThatRanWithTheirSetting) {
  plan.workloads[0].workload.params = {{"layers", std::int64_t{8}}};
  plan.workloads[0].base_params = Params{{"layers", std::int64_t{4}}};
  time(1.0);
  count_all(1'000'000, 2'000'000);
  Target target;
  target.metric = "instructions";
  target.of = target.over = "w";
  target.of_set = {{"layers", std::int64_t{8}}};
  target.over_set = {{"layers", std::int64_t{4}}};
  target.at_least = 3;
  EXPECT_EQ(analyze(plan, measurements, policy, {target}).targets[0].value, 2.0);
  EXPECT_EQ(analyze(plan, measurements, policy, {target}).targets[0].met, false);
}

TEST_F(Counted, CostsNothingOfAlpha) {
  time(1.0);
  const int without = analyze(plan, measurements, policy, {}).judged;
  count_all(1'000'000, 2'000'000);
  const Report report = analyze(plan, measurements, policy, {});
  EXPECT_EQ(report.judged, without);
  EXPECT_EQ(report.summary.verdict, Verdict::regressed);
}

TEST_F(Counted, TimesOfCountedInvocationsDoNotCount) {
  time(1.0);
  const Comparison before = row("step_time");
  count_all(1'000'000, 1'000'000);
  EXPECT_EQ(row("step_time").pairs, before.pairs);
  EXPECT_EQ(row("step_time").head->max, before.head->max);
}

TEST_F(Counted, CountThatVariesIsShownNotJudged) {
  time(1.0);
  count(Side::base, 1'000'000, 100);
  count(Side::head, 1'001'000, 100);
  count(Side::base, 1'000'000, 101);
  count(Side::head, 1'001'010, 101);
  const Comparison varies = row();
  EXPECT_FALSE(varies.exact);
  EXPECT_FALSE(varies.judged);
  EXPECT_FALSE(varies.verdict);
  EXPECT_FALSE(varies.interval);
  EXPECT_NEAR(*varies.change, 0.001, 1e-5);
  ASSERT_EQ(varies.warnings.size(), 1u);
  EXPECT_EQ(varies.warnings[0].kind, WarningKind::count_varies);
  EXPECT_EQ(varies.warnings[0].figures.at("base_spread"), 0);
  EXPECT_NEAR(varies.warnings[0].figures.at("head_spread"), 1e-5, 1e-8);
}

TEST_F(Counted, NeedsTwoCountsASide) {
  time(1.0);
  count(Side::base, 1'000'000, 100);
  count(Side::head, 1'000'000, 100);
  EXPECT_FALSE(row().exact);
  EXPECT_FALSE(row().verdict);
  EXPECT_EQ(row().warnings[0].kind, WarningKind::counted_once);
}

TEST_F(Counted, InstructionsThatMovedWithoutTheTimeAreNoted) {
  time(1.0);
  count_all(1'000'000, 1'010'000);
  EXPECT_TRUE(scripted::mentions(row("step_time").notes,
                                 "1.0 % more instructions, but no change of the time"));
}

TEST_F(Counted, TimeThatMovedWithoutTheInstructionsIsNoted) {
  time(1.3);
  count_all(1'000'000, 1'000'100);
  EXPECT_EQ(row("step_time").verdict, Verdict::regressed);
  EXPECT_TRUE(scripted::mentions(row("step_time").notes, "the number of instructions did not"));
}

TEST_F(Counted, NothingIsNotedWhereBothMovedOrNeither) {
  time(1.3);
  count_all(1'000'000, 1'300'000);
  EXPECT_FALSE(scripted::mentions(row("step_time").notes, "instructions"));
  measurements.invocations.clear();
  time(1.0);
  count_all(1'000'000, 1'000'000);
  EXPECT_FALSE(scripted::mentions(row("step_time").notes, "instructions"));
}

TEST_F(Counted, FactsThatWereCountedOtherwiseAreNoted) {
  time(1.0);
  for (Invocation& one : measurements.invocations) {
    one.blocks[0].facts = {{"blas_core", "SkylakeX"}, {"compiler", "c"}};
  }
  count_all(1'000'000, 1'000'000);
  for (Invocation& one : measurements.invocations) {
    if (one.counted) {
      one.blocks[0].facts = {{"blas_core", "Haswell"}, {"compiler", "c"}};
    }
  }
  EXPECT_TRUE(
      scripted::mentions(row().notes, "counted with blas_core Haswell, timed with SkylakeX"));
  EXPECT_FALSE(scripted::mentions(row().notes, "compiler"));
}

TEST_F(Counted, IsRequestedOnceTheTimesAreDecided) {
  ASSERT_TRUE(next(plan, measurements, policy));
  EXPECT_FALSE(next(plan, measurements, policy)->workloads[0].counted);
  time(1.0);
  const std::optional<Demand> demand = next(plan, measurements, policy);
  ASSERT_TRUE(demand);
  ASSERT_EQ(demand->workloads.size(), 1u);
  EXPECT_TRUE(demand->workloads[0].counted);
  EXPECT_TRUE(demand->workloads[0].paired);
  EXPECT_EQ(demand->workloads[0].count, 2);
  EXPECT_EQ(demand->workloads[0].steps, kCountedSteps);
  EXPECT_EQ(demand->workloads[0].warmup, 0);
  count(Side::base, 1, 100);
  count(Side::head, 1, 100);
  EXPECT_EQ(next(plan, measurements, policy)->workloads[0].count, 1);
  count(Side::base, 1, 101);
  count(Side::head, 1, 101);
  EXPECT_FALSE(next(plan, measurements, policy));
}

TEST_F(Counted, IsRequestedAfterTheBudgetButNotAfterAnInterrupt) {
  time(1.0, 3);
  measurements.budget_spent = true;
  ASSERT_TRUE(next(plan, measurements, policy));
  EXPECT_TRUE(next(plan, measurements, policy)->workloads[0].counted);
  measurements.interrupted = true;
  EXPECT_FALSE(next(plan, measurements, policy));
  measurements.interrupted = false;
  policy.count = false;
  EXPECT_FALSE(next(plan, measurements, policy));
}

TEST_F(Counted, IsGivenUpWithAReasonWhereItFails) {
  time(1.0);
  for (const int attempt : {1, 2}) {
    Invocation failed = scripted::failed_invocation("w", Side::base, 100, attempt, "illegal");
    failed.counted = true;
    measurements.invocations.push_back(failed);
    count(Side::head, 1, 100, attempt);
  }
  EXPECT_FALSE(next(plan, measurements, policy));
  const Comparison timed = row("step_time");
  EXPECT_EQ(timed.verdict, Verdict::unchanged);
  ASSERT_FALSE(timed.warnings.empty());
  EXPECT_EQ(timed.warnings.back().kind, WarningKind::not_counted);
  EXPECT_NE(reporter::sentence(timed.warnings.back()).find("illegal"), std::string::npos);
}

TEST_F(Counted, MetricFilterAloneShowsTheCount) {
  policy.metrics = {"instructions"};
  scripted::add_pair(measurements, "w", 0, 1, 1);
  count_all(1'000, 2'000);
  const Report report = analyze(plan, measurements, policy, {});
  ASSERT_EQ(report.comparisons.size(), 1u);
  EXPECT_EQ(report.comparisons[0].verdict, Verdict::regressed);
  EXPECT_FALSE(next(plan, measurements, policy));
}

TEST_F(Counted, ProcessorsCountIsAMetricLikeOthersWhereNothingIsCountedApart) {
  policy.count = false;
  time(1.0);
  for (Invocation& one : measurements.invocations) {
    one.process.instructions = one.side == Side::base ? 1'000'000 : 1'010'000;
  }
  const Comparison measured = row();
  EXPECT_FALSE(measured.judged);
  EXPECT_FALSE(measured.exact);
  EXPECT_NEAR(*measured.change, 0.01, 1e-9);
  EXPECT_TRUE(scripted::mentions(row("step_time").notes, "1.0 % more instructions"));
  policy.count = true;  // then it is left to the exact one
  count_all(1'000, 1'000);
  EXPECT_DOUBLE_EQ(*row().change, 0);
}

}  // namespace
}  // namespace perf
