#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "schema/error.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pairs;
using scripted::invocation_of;
using scripted::plan_of;
using scripted::row_of;

constexpr double kTraced = 77;  // s: what a step takes under a tracer means nothing

/// Looks at workloads: each is called the same, unless it has a difference.
class SameProgram : public ::testing::Test {
 protected:
  Plan plan = plan_of({"docs/a", "docs/b", "docs/c"});
  Measurements measurements;
  Policy policy;

  void look(const std::string& workload, const std::string& difference = "", bool audited = false) {
    for (PlannedWorkload& planned : plan.workloads) {
      if (planned.workload.name == workload) {
        planned.trace_record =
            TraceRecord{"1", difference.empty() ? "1" : "2", difference, audited};
      }
    }
    for (const Side side : {Side::base, Side::head}) {
      measurements.invocations.push_back(
          invocation_of(workload, side, 0, {kTraced, kTraced, kTraced}));
      measurements.invocations.back().traced = true;
    }
  }
  void look_at_all() {
    for (const char* workload : {"docs/a", "docs/b", "docs/c"}) {
      look(workload);
    }
  }
  /// The looking invocation of a side of the workload that was looked at last.
  Invocation& last(Side side) {
    return *(measurements.invocations.end() - (side == Side::head ? 1 : 2));
  }
  Report report(const std::vector<Target>& targets = {}) const {
    return analyze(plan, measurements, policy, targets);
  }
  std::vector<std::pair<std::string, int>> wanted() const {
    std::vector<std::pair<std::string, int>> all;
    const std::optional<Demand> demand = next(plan, measurements, policy);
    for (const WorkloadDemand& one : demand ? demand->workloads : std::vector<WorkloadDemand>()) {
      all.emplace_back(plan.workloads[one.workload].workload.name, one.count);
    }
    return all;
  }
};

using Wanted = std::vector<std::pair<std::string, int>>;

TEST_F(SameProgram, AnswersAtOnceWhereAllAreTheSame) {
  look_at_all();
  EXPECT_EQ(wanted(), Wanted{});
  const Report all = report();
  EXPECT_EQ(all.summary.verdict, Verdict::unchanged);
  EXPECT_EQ(all.summary.counts.at(Verdict::unchanged), 6);
  EXPECT_EQ(all.judged, 0);
  EXPECT_EQ(all.measured, 0);
  EXPECT_FALSE(all.nothing_ran);
  EXPECT_FALSE(all.budget_spent);
  EXPECT_FALSE(all.undecided);
  EXPECT_TRUE(all.families.empty()) << "a mean of nothing that was measured";
  ASSERT_EQ(all.comparisons.size(), 6U);
  for (const Comparison& one : all.comparisons) {
    EXPECT_EQ(one.verdict, Verdict::unchanged);
    EXPECT_EQ(one.basis, kSameProgram);
    EXPECT_EQ(one.change, 0);
    EXPECT_EQ(one.pairs, 0);
    EXPECT_FALSE(one.interval || one.base || one.head || one.warmup || one.smallest_visible);
    EXPECT_EQ(one.measured_because, "");
    EXPECT_TRUE(one.warnings.empty());
  }
}

TEST_F(SameProgram, HasTheRowsThatPairsWouldHave) {
  look("docs/a");
  for (const Side side : {Side::base, Side::head}) {
    Block& block = last(side).blocks[0];
    block.metrics = {{{"queue_length", "1", Better::lower}, 3, false},
                     {{"output_bytes", "B", Better::lower}, 4, true}};
  }
  const Report all = report();
  EXPECT_FALSE(row_of(all, "docs/a", "queue_length").judged);
  EXPECT_FALSE(row_of(all, "docs/a", "queue_length").verdict);
  EXPECT_EQ(row_of(all, "docs/a", "queue_length").basis, kSameProgram);
  EXPECT_EQ(row_of(all, "docs/a", "output_bytes").verdict, Verdict::unchanged);
  EXPECT_EQ(row_of(all, "docs/a", "peak_rss").verdict, Verdict::unchanged);
}

TEST_F(SameProgram, HasARowOfEachBlock) {
  look("docs/a");
  for (const Side side : {Side::base, Side::head}) {
    last(side).blocks.push_back(scripted::block_of({1}, "second"));
    last(side).blocks[0].workload = "first";
  }
  const Report all = report();
  EXPECT_EQ(row_of(all, "docs/a/first").basis, kSameProgram);
  EXPECT_EQ(row_of(all, "docs/a/second").basis, kSameProgram);
}

TEST_F(SameProgram, ToldWithoutRunningItHasOneRow) {
  plan.workloads.resize(1);
  plan.workloads[0].trace_record = TraceRecord{};
  policy.metrics = {"peak_rss"};
  EXPECT_EQ(wanted(), Wanted{}) << "whether it has that metric nobody knows";
  const Report all = report();
  ASSERT_EQ(all.comparisons.size(), 1U);
  EXPECT_EQ(all.comparisons[0].metric.name, "peak_rss");
  EXPECT_EQ(all.comparisons[0].basis, kSameProgram);
  EXPECT_EQ(all.summary.verdict, Verdict::unchanged);
  EXPECT_FALSE(all.nothing_ran);
}

TEST_F(SameProgram, KeepsToTheMetricsThatAreAskedFor) {
  look_at_all();
  policy.metrics = {"step_tim"};
  EXPECT_THROW(next(plan, measurements, policy), UsageError);
  policy.metrics = {"step_time"};
  EXPECT_EQ(wanted(), Wanted{});
  EXPECT_EQ(report().comparisons.size(), 3U);
}

TEST_F(SameProgram, LeavesTheErrorRateToWhatIsMeasured) {
  look("docs/a");
  look("docs/b", "build/bench: .rodata");
  look("docs/c");
  EXPECT_EQ(wanted(), (Wanted{{"docs/b", 1}})) << "nobody else is waited for";
  add_pairs(measurements, "docs/b", 12, 1.3);
  measurements.measured = 9;
  const Report all = report();
  EXPECT_EQ(all.judged, 2);
  EXPECT_EQ(row_of(all, "docs/b").verdict, Verdict::regressed);
  EXPECT_DOUBLE_EQ(row_of(all, "docs/b").look_alpha.value(), 0.01 / 12);
  EXPECT_EQ(row_of(all, "docs/b").basis, kByPairs);
  EXPECT_EQ(row_of(all, "docs/b").measured_because, "build/bench: .rodata");
  EXPECT_LT(row_of(all, "docs/b").head->median, 1) << "what looked is no sample";
  EXPECT_EQ(row_of(all, "docs/a").basis, kSameProgram);
  EXPECT_EQ(all.summary.verdict, Verdict::regressed);
  EXPECT_EQ(all.summary.counts.at(Verdict::unchanged), 5);
  ASSERT_FALSE(all.families.empty());
  EXPECT_EQ(all.families.back().metric, "step_time");
  EXPECT_EQ(all.families.back().workloads, 3);
  EXPECT_NEAR(all.families.back().change, std::cbrt(1.3) - 1, 0.01) << "the others' is 0";
}

TEST_F(SameProgram, DoesNotDecideAnUndecidedReport) {
  look("docs/a");
  look("docs/b", "build/bench: .text");
  look("docs/c");
  add_pairs(measurements, "docs/b", 3, 1.0);
  measurements.budget_spent = true;
  const Report all = report();
  EXPECT_EQ(all.summary.verdict, Verdict::inconclusive);
  EXPECT_TRUE(all.undecided);
}

TEST_F(SameProgram, ReportsThatNothingElseRan) {
  plan.workloads.resize(1);
  look("docs/a", "bench: .text");
  measurements.interrupted = true;
  EXPECT_TRUE(report().nothing_ran) << "what looked decides nothing";
}

TEST_F(SameProgram, CountsTheChecksOfTraces) {
  look("docs/a");
  last(Side::base).blocks[0].checks = {{"sum", true, 0.1, 0.2}};
  last(Side::head).blocks[0].checks = {{"sum", false, 0.3, 0.2}};
  const std::vector<CheckResult> checks = row_of(report(), "docs/a").checks;
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_TRUE(newly_fails(checks[0]));
  EXPECT_EQ(checks[0].head_runs, 1);
}

TEST_F(SameProgram, EvaluatesNoTargetByTracedTimes) {
  look_at_all();
  for (const Side side : {Side::base, Side::head}) {
    last(side).blocks[0].metrics = {{{"output_bytes", "B", Better::lower}, 4, true},
                                    {{"error", "1", Better::lower}, 4, true}};
  }
  Target target;
  target.name = "quick";
  target.of = "docs/c";
  target.at_most = 1;
  const Report all = report({target});
  EXPECT_FALSE(all.targets.at(0).value);
  EXPECT_FALSE(all.targets.at(0).met);
  EXPECT_TRUE(all.trade_offs.empty());
  EXPECT_TRUE(all.warnings.empty());
}

/// docs/c is the same, and "quick" is a target on it that base told nobody.
class NeededByTarget : public SameProgram {
 protected:
  Target target;

  NeededByTarget() {
    target.name = "quick";
    target.of = "docs/c";
    target.at_most = 1;
    look("docs/a");
    look("docs/b");
    look("docs/c");
    plan.workloads[2].trace_record->needed_by_target = true;
  }
  void add_head(int count, double seconds, int failed = 0) {
    for (int i = 0; i < count; ++i) {
      measurements.invocations.push_back(
          invocation_of("docs/c", Side::head, i, {seconds, seconds}));
      measurements.invocations.back().paired = false;
      measurements.invocations.back().failure = i < failed ? "exit status 7" : "";
    }
  }
};

TEST_F(NeededByTarget, IsMeasuredAtHeadAloneAndStaysTheSame) {
  const std::optional<Demand> demand = next(plan, measurements, policy);
  ASSERT_TRUE(demand);
  EXPECT_FALSE(demand->workloads.at(0).paired);
  EXPECT_EQ(wanted(), (Wanted{{"docs/c", 11}})) << "as the first look of one comparison has pairs";
  add_head(7, 0.5);
  EXPECT_EQ(wanted(), (Wanted{{"docs/c", 4}}));
  add_head(4, 0.6);
  EXPECT_EQ(wanted(), Wanted{});
  measurements.measured = 5;
  const Report all = report({target});
  EXPECT_EQ(all.targets.at(0).value, 0.5);
  EXPECT_EQ(all.targets.at(0).met, true);
  EXPECT_EQ(row_of(all, "docs/c").basis, kSameProgram);
  EXPECT_EQ(row_of(all, "docs/c").verdict, Verdict::unchanged);
  EXPECT_EQ(row_of(all, "docs/c").measured_because, TraceRecord::kNeededByTarget);
  EXPECT_FALSE(row_of(all, "docs/c").head);
  EXPECT_EQ(row_of(all, "docs/a").measured_because, "");
  EXPECT_EQ(all.judged, 0);
  EXPECT_EQ(all.measured, 5);
  EXPECT_EQ(all.summary.counts.at(Verdict::unchanged), 6);
  EXPECT_TRUE(all.audits.empty() && all.warnings.empty());
  EXPECT_FALSE(all.nothing_ran || all.budget_spent || all.undecided);
  target.metric = "step_tim";
  EXPECT_EQ(report({target}).warnings.at(0).kind, WarningKind::target_without_metric);
}

TEST_F(NeededByTarget, MayHoldWhereFactsAreReported) {
  target.when = {{"isa", "avx512"}};
  add_head(11, 0.5);
  for (Invocation& one : measurements.invocations) {
    one.blocks.at(0).facts["isa"] = "avx512";
  }
  EXPECT_EQ(report({target}).targets.at(0).met, true);
  target.when["isa"] = "avx2";
  EXPECT_EQ(report({target}).targets.at(0).found.at("isa"), "avx512");
}

TEST_F(NeededByTarget, LeavesTheBudgetToWhatDiffers) {
  plan.workloads[1].trace_record->difference = "bench: .text";
  EXPECT_EQ(wanted(), (Wanted{{"docs/b", 1}, {"docs/c", 1}})) << "m is known after one pair";
  add_pairs(measurements, "docs/b", 1, 1.0);
  add_head(1, 0.5);
  EXPECT_EQ(wanted(), (Wanted{{"docs/b", 3}, {"docs/c", 11}})) << "m = 2";
  measurements.measured = policy.budget - 0.01;
  EXPECT_EQ(wanted(), (Wanted{{"docs/b", 3}}));
  add_pairs(measurements, "docs/b", 13, 1.3);
  EXPECT_EQ(wanted(), (Wanted{{"docs/c", 11}})) << "what is left of it";
  const Report all = report({target});
  EXPECT_EQ(all.judged, 2);
  EXPECT_EQ(row_of(all, "docs/b").basis, kByPairs);
  EXPECT_EQ(all.targets.at(0).value, 0.5);
}

TEST_F(NeededByTarget, WarnsWhereItFails) {
  add_head(2, 0.5, 2);
  EXPECT_EQ(wanted(), Wanted{});
  const Report all = report({target});
  EXPECT_FALSE(all.targets.at(0).value);
  EXPECT_EQ(row_of(all, "docs/c").verdict, Verdict::unchanged) << "base's would fail alike";
  const Warning& warning = all.comparisons.at(4).warnings.at(0);
  EXPECT_EQ(warning.kind, WarningKind::failed);
  EXPECT_EQ(warning.about.at("why"), "exit status 7");
}

TEST_F(SameProgram, MeasuresAnAuditBesideOtherWorkloads) {
  look("docs/a", "", true);
  look("docs/b", "bench: .text");
  look("docs/c", "bench: .text");
  EXPECT_EQ(wanted(), (Wanted{{"docs/b", 1}, {"docs/c", 1}, {"docs/a", 1}}));
  add_pairs(measurements, "docs/b", 4, 1.0);
  add_pairs(measurements, "docs/c", 13, 1.3);  // decided
  add_pairs(measurements, "docs/a", 2, 1.0);
  EXPECT_EQ(wanted(), (Wanted{{"docs/b", 13 - 4}, {"docs/a", 13 - 2}})) << "m = 4, not 6";
}

TEST_F(SameProgram, CountsAnAuditOnlyAsAudit) {
  look("docs/a", "", true);
  look("docs/b", "bench: .text");
  look("docs/c");
  add_pairs(measurements, "docs/b", 13, 1.0);
  add_pairs(measurements, "docs/a", 13, 1.0);
  Report all = report();
  EXPECT_EQ(all.judged, 2);
  EXPECT_EQ(all.comparisons.size(), 6U);
  EXPECT_EQ(row_of(all, "docs/a").basis, kSameProgram);
  EXPECT_EQ(row_of(all, "docs/a").pairs, 0);
  ASSERT_EQ(all.audits.size(), 2U);
  EXPECT_EQ(all.audits[0].workload, "docs/a");
  EXPECT_EQ(all.audits[0].pairs, 13);
  EXPECT_FALSE(all.audits[0].alarmed || all.audits[1].alarmed);
  EXPECT_TRUE(all.warnings.empty());
  EXPECT_TRUE(all.controls.empty());

  std::erase_if(measurements.invocations,
                [](const Invocation& one) { return one.workload == "docs/a" && !one.traced; });
  add_pairs(measurements, "docs/a", 13, 1.3);
  all = report();
  EXPECT_EQ(std::ranges::count(all.audits, true, &ControlResult::alarmed), 1);
  EXPECT_EQ(row_of(all, "docs/a").verdict, Verdict::unchanged);
  ASSERT_EQ(all.warnings.size(), 1U);
  EXPECT_EQ(all.warnings[0].kind, WarningKind::audit_alarm);
  EXPECT_EQ(all.warnings[0].about.at("workload"), "docs/a");
  EXPECT_NEAR(all.warnings[0].figures.at("change"), 0.3, 0.01);
}

TEST_F(SameProgram, DoesNotMeasureAnAuditAlone) {
  look("docs/a", "", true);
  look("docs/b");
  look("docs/c");
  EXPECT_EQ(wanted(), Wanted{}) << "where nothing else is";
}

}  // namespace
}  // namespace perf
