#include "analyzer/judge/judge_stored.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "analyzer/analyze.h"
#include "reporter/text/sentences.h"
#include "schema/error.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

const std::string kBase(40, 'b');
const std::string kHead(40, 'a');

const Comparison& row(const Report& report, const std::string& workload,
                      const std::string& metric = "step_time") {
  for (const Comparison& one : report.comparisons) {
    if (one.workload == workload && one.metric.name == metric) {
      return one;
    }
  }
  throw std::runtime_error("no row " + workload + " " + metric);
}

/// A stored run of these workloads with pairs of this ratio.
StoredRun paired_run(const std::vector<std::string>& workloads, double ratio, int pairs = 24) {
  StoredRun run;
  run.plan = scripted::plan_of(workloads);
  run.plan.run_id = "stored";
  run.plan.environment.fingerprint = "here";
  for (const std::string& workload : workloads) {
    scripted::add_pairs(run.measurements, workload, pairs, ratio);
  }
  std::int64_t order = 0;
  for (Invocation& invocation : run.measurements.invocations) {
    invocation.oid = invocation.side == Side::base ? kBase : kHead;
    invocation.start_order = order++;
  }
  return run;
}

StoredWorkload wanted(const std::string& workload) {
  StoredWorkload one;
  one.planned.workload.name = workload;
  return one;
}

/// `count` sessions of one metric about `seconds`, in which neighbours differ.
std::vector<SampleSet> sessions(const std::string& workload, int count, double seconds,
                                const std::string& fingerprint = "here") {
  std::vector<SampleSet> all;
  for (int i = 0; i < count; ++i) {
    SampleSet set;
    set.environment.fingerprint = fingerprint;
    set.environment.machine = {{"cpu", fingerprint}};
    SampleSeries series;
    series.name = workload;
    series.metric = kStepTime;
    series.judge = true;
    series.values = {seconds * (1 + 0.001 * (i % 2 == 0 ? i : -i))};
    set.series.push_back(series);
    all.push_back(set);
  }
  return all;
}

TEST(JudgeStored, MakesTheVerdictsOfPairsAgain) {
  const Plan plan = scripted::plan_of({"w"});
  StoredWorkload stored = wanted("w");
  stored.pairs = std::make_shared<StoredRun>(paired_run({"w", "unasked"}, 1.3));
  const Report report = judge_stored(plan, {stored}, Policy{}, {});

  Measurements only_w;
  scripted::add_pairs(only_w, "w", 24, 1.3);
  const Report measured = analyze(plan, only_w, Policy{}, {});
  EXPECT_EQ(row(report, "w").verdict, Verdict::regressed);
  EXPECT_EQ(row(report, "w").pairs, row(measured, "w").pairs);
  EXPECT_EQ(row(report, "w").change, row(measured, "w").change);
  EXPECT_EQ(row(report, "w").interval->low, row(measured, "w").interval->low);
  EXPECT_EQ(report.judged, measured.judged);
  EXPECT_EQ(report.summary.verdict, Verdict::regressed);
  EXPECT_EQ(report.comparisons.size(), measured.comparisons.size()) << "nothing of `unasked`";
  EXPECT_EQ(report.environments.at(0).environment.fingerprint, "here");
  EXPECT_FALSE(report.nothing_ran);
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_EQ(reporter::sentence(report.warnings[0]),
            "nothing was measured: the pairs come from the stored run stored");
}

TEST(JudgeStored, UsesTodaysPolicy) {
  StoredWorkload stored = wanted("w");
  stored.pairs = std::make_shared<StoredRun>(paired_run({"w"}, 1.3));
  Policy policy;
  policy.threshold = 0.5;
  const Report report = judge_stored(scripted::plan_of({"w"}), {stored}, policy, {});
  EXPECT_EQ(row(report, "w").verdict, Verdict::unchanged);
  EXPECT_EQ(report.policy.threshold, 0.5);
}

TEST(JudgeStored, TakesALastLookBecauseNoMorePairsWillCome) {
  StoredWorkload stored = wanted("w");
  stored.pairs = std::make_shared<StoredRun>(paired_run({"w"}, 1.099, 14));
  const Report report = judge_stored(scripted::plan_of({"w"}), {stored}, Policy{}, {});
  EXPECT_EQ(row(report, "w").pairs, 14);
  EXPECT_FALSE(report.budget_spent) << "nothing was measured that a budget could end";
  EXPECT_FALSE(report.interrupted);
}

TEST(JudgeStored, SharesTheErrorRateBetweenPairsAndSessions) {
  StoredWorkload paired = wanted("a"), apart = wanted("b");
  paired.pairs = std::make_shared<StoredRun>(paired_run({"a"}, 1));
  apart.base = sessions("b", 9, 0.01);
  apart.head = sessions("b", 9, 0.01);
  const Policy policy;
  const Report report = judge_stored(scripted::plan_of({"a", "b"}), {paired, apart}, policy, {});
  EXPECT_EQ(report.judged, 3);  // step_time and peak_rss of a, step_time of b
  EXPECT_DOUBLE_EQ(*row(report, "a").look_alpha, policy.alpha / (3 * policy.looks));
  EXPECT_DOUBLE_EQ(*row(report, "b").look_alpha, policy.alpha / 3);
  EXPECT_EQ(report.policy.alpha, policy.alpha);
  EXPECT_EQ(row(report, "b").verdict, Verdict::unchanged);
}

TEST(JudgeStored, RefusesPairsThatEndBeforeTheFirstLook) {
  StoredWorkload stored = wanted("w");
  stored.pairs = std::make_shared<StoredRun>(paired_run({"w"}, 1.3, 13));
  Policy policy;
  EXPECT_EQ(judged_in(scripted::plan_of({"w"}), {stored}, policy), 2);
  policy.max_pairs = 5;
  EXPECT_THROW(judge_stored(scripted::plan_of({"w"}), {stored}, policy, {}), UsageError);
  policy.max_pairs = 12;
  EXPECT_EQ(row(judge_stored(scripted::plan_of({"w"}), {stored}, policy, {}), "w").pairs, 12);
}

TEST(JudgeStored, RefusesAMetricThatNothingMeasures) {
  StoredWorkload paired = wanted("a"), apart = wanted("b");
  paired.pairs = std::make_shared<StoredRun>(paired_run({"a"}, 1));
  apart.head = sessions("b", 1, 0.01);
  const Plan plan = scripted::plan_of({"a", "b"});
  Policy policy;
  policy.metrics = {"step_tmie"};
  EXPECT_THROW(judge_stored(plan, {paired}, policy, {}), UsageError);
  EXPECT_THROW(judge_stored(plan, {apart}, policy, {}), UsageError);
  EXPECT_NO_THROW(judge_stored(plan, {wanted("never")}, policy, {})) << "nothing tells";
  policy.metrics = {"peak_rss"};  // of the pairs alone
  EXPECT_NO_THROW(judge_stored(plan, {paired, apart}, policy, {}));
}

TEST(JudgeStored, IsInconclusiveWithFewSessions) {
  StoredWorkload stored = wanted("w");
  stored.base = sessions("w", 1, 0.01);
  stored.head = sessions("w", 3, 0.02);
  const Report report = judge_stored(scripted::plan_of({"w"}), {stored}, Policy{}, {});
  EXPECT_EQ(row(report, "w").verdict, Verdict::inconclusive);
  EXPECT_NEAR(*row(report, "w").change, 1, 0.01);
  EXPECT_EQ(reporter::sentence(report.warnings[0]),
            "nothing was measured: no stored run has pairs of these revisions");
  EXPECT_EQ(report.environments.at(0).environment.fingerprint, "here");
}

TEST(JudgeStored, CallsOtherMachinesIncomparable) {
  StoredWorkload stored = wanted("w");
  stored.base = sessions("w", 9, 0.01, "old");
  stored.head = sessions("w", 9, 0.02, "new");
  EXPECT_EQ(row(judge_stored(scripted::plan_of({"w"}), {stored}, Policy{}, {}), "w").verdict,
            Verdict::incomparable);
}

TEST(JudgeStored, SeparatesNewMissingAndEmpty) {
  StoredWorkload only_base = wanted("gone"), only_head = wanted("fresh"), nothing = wanted("never");
  only_base.base = sessions("gone", 2, 0.01);
  only_head.head = sessions("fresh", 2, 0.01);
  Plan plan = scripted::plan_of({"gone", "fresh", "never"});
  const Report report = judge_stored(plan, {only_base, only_head, nothing}, Policy{}, {});
  EXPECT_EQ(row(report, "gone").verdict, Verdict::missing);
  EXPECT_EQ(row(report, "fresh").verdict, Verdict::fresh);
  EXPECT_EQ(row(report, "never").verdict, Verdict::inconclusive);
  EXPECT_EQ(row(report, "never").warnings[0].kind, WarningKind::not_stored);
  EXPECT_FALSE(report.nothing_ran);
  EXPECT_TRUE(judge_stored(plan, {nothing}, Policy{}, {}).nothing_ran);
}

TEST(StoredSamples, AreTheMediansOfTimedSteps) {
  StoredRun run = paired_run({"w"}, 2, 3);
  run.measurements.invocations[1].layout_seed = 5;    // of the three head invocations ...
  run.measurements.invocations[3].failure = "crash";  // ... one is left
  const SampleSet head =
      stored_samples(run.plan, run.measurements, run.plan.workloads[0].workload, kHead, Policy{});
  ASSERT_EQ(head.series.size(), 2u);
  EXPECT_EQ(head.source, "stored");
  EXPECT_EQ(head.environment.fingerprint, "here");
  const SampleSeries& time = head.series[1];
  EXPECT_EQ(time.metric, kStepTime);
  EXPECT_TRUE(time.judge);
  ASSERT_EQ(time.values.size(), 1u);
  EXPECT_EQ(time.values[0], run.measurements.invocations[5].blocks[0].steps[2].seconds);
  EXPECT_EQ(
      stored_samples(run.plan, run.measurements, run.plan.workloads[0].workload, kBase, Policy{})
          .series[1]
          .values.size(),
      3u);
}

TEST(StoredSamples, ExcludeOtherSettingsAndControlArms) {
  StoredRun run = paired_run({"w"}, 1, 3);
  const Workload workload = run.plan.workloads[0].workload;
  run.plan.workloads[0].base_params = Params{{"threads", std::int64_t{2}}};
  EXPECT_TRUE(stored_samples(run.plan, run.measurements, workload, kBase, Policy{}).series.empty());
  EXPECT_FALSE(
      stored_samples(run.plan, run.measurements, workload, kHead, Policy{}).series.empty());
  Workload of_base = workload;
  of_base.params = *run.plan.workloads[0].base_params;
  const SampleSet base = stored_samples(run.plan, run.measurements, of_base, kBase, Policy{});
  ASSERT_FALSE(base.series.empty());
  EXPECT_TRUE(base.of_workloads);
  EXPECT_EQ(base.series.front().params, of_base.params) << "not head's";
  run.plan.workloads[0].control_of = "x";
  EXPECT_TRUE(stored_samples(run.plan, run.measurements, workload, kHead, Policy{}).series.empty());
}

TEST(JudgeReports, AreNeverMoreThanInconclusive) {
  SampleSet base = sessions("w", 1, 0.01)[0], head = sessions("w", 1, 0.01)[0];
  for (SampleSet* one : {&base, &head}) {
    one->series[0].values.clear();
    one->series[0].summary = SideStats{};
    one->series[0].summary->median = one == &base ? 0.01 : 0.03;
  }
  Policy misspelt;
  misspelt.metrics = {"step_tmie"};
  EXPECT_THROW(judge_reports({base}, {head}, misspelt), UsageError);
  const Report report = judge_reports({base}, {head}, Policy{});
  EXPECT_EQ(row(report, "w").verdict, Verdict::inconclusive);
  EXPECT_NEAR(*row(report, "w").change, 2, 1e-9);
  EXPECT_EQ(report.judged, 1);
  EXPECT_EQ(report.summary.counts.at(Verdict::inconclusive), 1);
}

}  // namespace
}  // namespace perf
