#include "analyzer/judge/judge_sides.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/rows/comparison_rows.h"
#include "reporter/text/sentences.h"
#include "schema/error.h"
#include "schema/formats/foreign.h"
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

/// Two sides of the store that want these workloads.
JudgedSides wanted(const std::vector<std::string>& workloads) {
  JudgedSides sides;
  sides.plan = scripted::plan_of(workloads);
  sides.plan.head.kind = SideKind::store;
  if (sides.plan.base) {
    sides.plan.base->kind = SideKind::store;
  }
  return sides;
}

/// The same of one workload, of which a run has pairs.
JudgedSides paired(const StoredRun& run, std::vector<std::string> workloads = {"w"}) {
  JudgedSides sides = wanted(workloads);
  PairedWorkload& one = sides.pairs.emplace_back();
  one.planned.workload.name = workloads.front();
  one.run = std::make_shared<StoredRun>(run);
  return sides;
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

TEST(JudgeSides, MakesTheVerdictsOfPairsAgain) {
  const Report report = judge_sides(paired(paired_run({"w", "unasked"}, 1.3)), Policy{}, {});

  Measurements only_w;
  scripted::add_pairs(only_w, "w", 24, 1.3);
  const Report measured = analyze(scripted::plan_of({"w"}), only_w, Policy{}, {});
  EXPECT_EQ(row(report, "w").verdict, Verdict::regressed);
  EXPECT_EQ(row(report, "w").pairs, row(measured, "w").pairs);
  EXPECT_EQ(row(report, "w").change, row(measured, "w").change);
  EXPECT_EQ(row(report, "w").interval->low, row(measured, "w").interval->low);
  EXPECT_EQ(row(report, "w").basis, kByPairs);
  EXPECT_EQ(report.judged, measured.judged);
  EXPECT_EQ(report.summary.verdict, Verdict::regressed);
  EXPECT_EQ(report.comparisons.size(), measured.comparisons.size()) << "nothing of `unasked`";
  EXPECT_EQ(report.environments.at(0).environment.fingerprint, "here");
  EXPECT_FALSE(report.nothing_ran);
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_EQ(reporter::sentence(report.warnings[0]),
            "nothing was measured: the pairs come from the stored run stored");
}

TEST(JudgeSides, UsesTodaysPolicy) {
  Policy policy;
  policy.threshold = 0.5;
  const Report report = judge_sides(paired(paired_run({"w"}, 1.3)), policy, {});
  EXPECT_EQ(row(report, "w").verdict, Verdict::unchanged);
  EXPECT_EQ(report.policy.threshold, 0.5);
}

TEST(JudgeSides, TakesALastLookBecauseNoMorePairsWillCome) {
  const Report report = judge_sides(paired(paired_run({"w"}, 1.099, 14)), Policy{}, {});
  EXPECT_EQ(row(report, "w").pairs, 14);
  EXPECT_FALSE(report.budget_spent) << "nothing was measured that a budget could end";
  EXPECT_FALSE(report.interrupted);
}

TEST(JudgeSides, SharesTheErrorRateBetweenPairsAndSessions) {
  JudgedSides sides = paired(paired_run({"a"}, 1), {"a", "b"});
  sides.base = sessions("b", 9, 0.01);
  sides.head = sessions("b", 9, 0.01);
  const Policy policy;
  const Report report = judge_sides(sides, policy, {});
  EXPECT_EQ(report.judged, 3);  // step_time and peak_rss of a, step_time of b
  EXPECT_DOUBLE_EQ(*row(report, "a").look_alpha, policy.alpha / (3 * policy.looks));
  EXPECT_DOUBLE_EQ(*row(report, "b").look_alpha, policy.alpha / 3);
  EXPECT_EQ(report.policy.alpha, policy.alpha);
  EXPECT_EQ(row(report, "b").verdict, Verdict::unchanged);
  EXPECT_EQ(row(report, "b").basis, kBySessions);
}

TEST(JudgeSides, RefusesPairsThatEndBeforeTheFirstLook) {
  const JudgedSides sides = paired(paired_run({"w"}, 1.3, 13));
  Policy policy;
  EXPECT_EQ(judged_in(sides, policy), 2);
  policy.max_pairs = 5;
  EXPECT_THROW(judge_sides(sides, policy, {}), UsageError);
  policy.max_pairs = 12;
  EXPECT_EQ(row(judge_sides(sides, policy, {}), "w").pairs, 12);
}

TEST(JudgeSides, RefusesAMetricThatNothingMeasures) {
  JudgedSides both = paired(paired_run({"a"}, 1), {"a", "b"}), apart = wanted({"a", "b"});
  both.head = apart.head = sessions("b", 1, 0.01);
  Policy policy;
  policy.metrics = {"step_tmie"};
  EXPECT_THROW(judge_sides(both, policy, {}), UsageError);
  EXPECT_THROW(judge_sides(apart, policy, {}), UsageError);
  EXPECT_NO_THROW(judge_sides(wanted({"never"}), policy, {})) << "nothing tells";
  policy.metrics = {"peak_rss"};  // of the pairs alone
  EXPECT_NO_THROW(judge_sides(both, policy, {}));
}

TEST(JudgeSides, RefusesDifferentSizes) {
  JudgedSides sides = wanted({});
  sides.base = sessions("w", 1, 0.01);
  sides.head = sessions("w", 1, 0.01);
  sides.base[0].size = "smoke";
  EXPECT_NO_THROW(judge_sides(sides, Policy{}, {})) << "head's is not known";
  sides.head[0].size = "ci";
  EXPECT_THROW(judge_sides(sides, Policy{}, {}), UsageError);
}

TEST(JudgeSides, IsInconclusiveWithFewSessions) {
  JudgedSides sides = wanted({"w"});
  sides.base = sessions("w", 1, 0.01);
  sides.head = sessions("w", 3, 0.02);
  const Report report = judge_sides(sides, Policy{}, {});
  EXPECT_EQ(row(report, "w").verdict, Verdict::inconclusive);
  EXPECT_NEAR(*row(report, "w").change, 1, 0.01);
  EXPECT_EQ(reporter::sentence(report.warnings[0]),
            "nothing was measured: no stored run has pairs of these revisions");
  EXPECT_EQ(report.environments.at(0).environment.fingerprint, "here");
}

TEST(JudgeSides, NamesTheFactInWhichMachinesDiffer) {
  JudgedSides sides = wanted({"w"});
  sides.base = sessions("w", 9, 0.01, "old");
  sides.head = sessions("w", 9, 0.02, "new");
  for (SampleSet& one : sides.base) {
    one.environment.machine["a_fact_of_base"] = "1";
  }
  const Comparison one = row(judge_sides(sides, Policy{}, {}), "w");
  EXPECT_EQ(one.verdict, Verdict::incomparable);
  EXPECT_EQ(reporter::sentence(one.warnings.at(0)),
            "the sides ran in different environments: cpu is old at base, new at head");
}

TEST(JudgeSides, SeparatesNewMissingAndEmpty) {
  JudgedSides sides = wanted({"gone", "fresh", "never"});
  sides.base = sessions("gone/part", 2, 0.01);
  sides.head = sessions("fresh", 2, 0.01);
  const Report report = judge_sides(sides, Policy{}, {});
  EXPECT_EQ(report.comparisons.size(), 3u);
  EXPECT_EQ(row(report, "gone/part").verdict, Verdict::missing);
  EXPECT_EQ(row(report, "fresh").verdict, Verdict::fresh);
  EXPECT_EQ(row(report, "never").verdict, Verdict::inconclusive);
  EXPECT_EQ(row(report, "never").warnings[0].kind, WarningKind::not_stored);
  EXPECT_FALSE(report.nothing_ran);
  EXPECT_TRUE(judge_sides(wanted({"never"}), Policy{}, {}).nothing_ran);
}

TEST(JudgeSides, GivesEachComparisonOfFilesTheWholeErrorRate) {
  JudgedSides sides = wanted({});
  sides.together = false;
  for (const char* name : {"a", "b"}) {
    std::ranges::move(sessions(name, 9, 0.01), std::back_inserter(sides.base));
    std::ranges::move(sessions(name, 9, 0.01), std::back_inserter(sides.head));
  }
  EXPECT_DOUBLE_EQ(*row(judge_sides(sides, Policy{}, {}), "a").look_alpha, 0.01);
  sides.together = true;
  EXPECT_DOUBLE_EQ(*row(judge_sides(sides, Policy{}, {}), "a").look_alpha, 0.005);
}

// The rules of docs/verdicts.md#failures, for every kind of side.
TEST(JudgeSides, RankFailures) {
  enum What { ran, fails, fails_otherwise, skips, absent };
  struct Failures {
    What base, head;
    std::optional<Verdict> verdict;
    std::string reason;
  };
  using enum Verdict;
  const std::vector<Failures> cases{
      {ran, fails, failed, "head failed: exit status 1"},
      {ran, skips, failed, "skipped at head: no GPU"},
      {ran, absent, missing, ""},
      {fails, ran, fresh, "base failed: exit status 1"},
      {skips, ran, fresh, "skipped at base: no GPU"},
      {absent, ran, fresh, ""},
      {fails, fails, incomparable, "fails on both sides alike: exit status 1"},
      {fails_otherwise, fails, failed, "fails on both sides: base: killed; head: exit status 1"},
      {skips, fails, failed, "head failed: exit status 1"},
      {absent, fails, failed, "head failed: exit status 1"},
      {skips, skips, std::nullopt, "skipped on both sides: no GPU"},
      {absent, skips, std::nullopt, "skipped at head: no GPU"},
      {fails, absent, missing, "base failed: exit status 1"},
      {skips, absent, std::nullopt, "skipped at base: no GPU"}};
  const auto side = [](What what) {
    std::vector<SampleSet> set = sessions("w", 1, 0.01);
    if (what != ran) {
      set[0].series.clear();
    }
    if (what == fails || what == fails_otherwise) {
      set[0].failures[{"w"}] = what == fails ? "exit status 1" : "killed";
    } else if (what == skips) {
      set[0].skipped[{"w"}] = "no GPU";
    }
    return set;
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    JudgedSides sides = wanted({});
    sides.base = side(cases[i].base);
    sides.head = side(cases[i].head);
    const Comparison one = row(judge_sides(sides, Policy{}, {}), "w");
    EXPECT_EQ(one.verdict, cases[i].verdict) << i;
    EXPECT_EQ(one.warnings.empty() ? "" : reporter::sentence(one.warnings[0]), cases[i].reason)
        << i;
  }
}

// By the same rule as a comparison: docs/verdicts.md#failures.
TEST(JudgeSides, JudgeChecksAsAComparisonDoes) {
  const auto report_of = [](int failed_at_base, int failed_at_head) {
    StoredRun run = paired_run({"w"}, 1, 4);
    std::map<Side, int> left{{Side::base, failed_at_base}, {Side::head, failed_at_head}};
    for (Invocation& one : run.measurements.invocations) {
      one.blocks[0].checks = {{"sum", left[one.side]-- <= 0, {}, {}}};
    }
    JudgedSides stored = wanted({});
    const Workload& workload = run.plan.workloads[0].workload;
    stored.base = {stored_samples(run.plan, run.measurements, workload, kBase, Policy{})};
    stored.head = {stored_samples(run.plan, run.measurements, workload, kHead, Policy{})};
    return std::pair(judge_sides(stored, Policy{}, {}), judge_sides(paired(run), Policy{}, {}));
  };
  for (const auto& [at_base, at_head, is_new] :
       std::vector<std::tuple<int, int, bool>>{{0, 0, false},
                                               {0, 4, true},
                                               {4, 4, false},
                                               {1, 4, true},
                                               {4, 0, false},
                                               {2, 2, false}}) {
    const auto [stored, compared] = report_of(at_base, at_head);
    EXPECT_EQ(has_new_check_failure(stored), is_new) << at_base << " " << at_head;
    EXPECT_EQ(has_new_check_failure(compared), is_new) << at_base << " " << at_head;
    const CheckResult one = row(stored, "w").checks.at(0), other = row(compared, "w").checks.at(0);
    EXPECT_EQ(std::tie(one.base, one.head, one.base_failed, one.head_failed),
              std::tie(other.base, other.head, other.base_failed, other.head_failed));
    EXPECT_TRUE(row(stored, "w").change) << "whatever the results, times are compared";
  }
}

TEST(JudgeSides, JudgeTheSessionsThatDidNotFail) {
  JudgedSides sides = wanted({});
  sides.base = sessions("w", 9, 0.01);
  sides.head = sessions("w", 9, 0.02);
  sides.head[3].series.clear();
  sides.head[3].failures[{"w"}] = "killed";
  const Comparison one = row(judge_sides(sides, Policy{}, {}), "w");
  EXPECT_EQ(one.verdict, Verdict::regressed);
  EXPECT_EQ(one.head->invocations, 8);
  EXPECT_EQ(reporter::sentence(one.warnings.at(0)), "1 of 9 runs failed at head, 0 of 9 at base");
}

TEST(JudgeSides, WarnOfSessionsWithEqualValues) {
  JudgedSides sides = wanted({});
  sides.base = sessions("w", 9, 0.01);
  sides.head = sessions("w", 9, 0.02);
  EXPECT_TRUE(row(judge_sides(sides, Policy{}, {}), "w").warnings.empty());
  for (auto* side : {&sides.base, &sides.head}) {
    for (SampleSet& one : *side) {
      one.series[0].values = side->front().series[0].values;
    }
  }
  const Comparison one = row(judge_sides(sides, Policy{}, {}), "w");
  EXPECT_EQ(one.warnings.at(0).kind, WarningKind::equal_sessions);
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

TEST(StoredSamples, HaveTheFailureOfWhatNeverEndedWell) {
  StoredRun run = paired_run({"w"}, 2, 1);
  run.measurements.invocations[1].failure = "exit status 1; to reproduce: ./w";
  const auto failures_at = [&run](const std::string& oid) {
    return stored_samples(run.plan, run.measurements, run.plan.workloads[0].workload, oid, Policy{})
        .failures;
  };
  EXPECT_EQ(failures_at(kHead),
            (std::map<BenchmarkId, std::string>{{{"w"}, "exit status 1; to reproduce: ./w"}}));
  EXPECT_TRUE(failures_at(kBase).empty());
  run.measurements.invocations.clear();
  EXPECT_TRUE(failures_at(kHead).empty());
  run.plan.head.oid = kHead;
  run.plan.workloads[0].head_failed = "it did not build\nno such file";
  EXPECT_EQ(failures_at(kHead), (std::map<BenchmarkId, std::string>{{{"w"}, "it did not build"}}));
  EXPECT_TRUE(failures_at(kBase).empty());
}

TEST(StoredSamples, HaveTheReasonsOfSkippedBenchmarks) {
  StoredRun run = paired_run({"w"}, 2, 1);
  for (Invocation& one : run.measurements.invocations) {
    one.blocks[0].workload = "a";
    Block& block = one.blocks.emplace_back();
    block.workload = "b";
    block.skipped = "no GPU";
  }
  const SampleSet head =
      stored_samples(run.plan, run.measurements, run.plan.workloads[0].workload, kHead, Policy{});
  EXPECT_EQ(head.skipped, (std::map<BenchmarkId, std::string>{{{"w/b"}, "no GPU"}}));
}

TEST(StoredSamples, HaveTheChecksOfEachRun) {
  StoredRun run = paired_run({"w"}, 2, 2);
  run.measurements.invocations[1].blocks[0].checks = {{"sum", false, {}, {}}};
  const SampleSet stored =
      stored_samples(run.plan, run.measurements, run.plan.workloads[0].workload, kHead, Policy{});
  EXPECT_EQ(stored.series.at(0).values.size(), 2u) << "of wrong results, too";
  const ChecksOfRuns& checks = stored.checks.at({"w"});
  ASSERT_EQ(checks.size(), 2u);
  EXPECT_FALSE(checks[0].at(0).passed);
  EXPECT_TRUE(checks[1].empty());
}

TEST(StoredSamples, KnowWhatAnImportedRunDidNotReach) {
  StoredRun run = paired_run({"a.org/kit"}, 2, 1);
  Workload& imported = run.plan.workloads[0].workload;
  imported.command.clear();
  imported.format = "go";
  run.measurements.invocations[1].failure = std::string(formats::kDidNotFinish) + "panic: boom";
  const SampleSet head = stored_samples(run.plan, run.measurements, imported, kHead, Policy{});
  ASSERT_EQ(head.lost.size(), 1u);
  EXPECT_EQ(head.lost[0].within, "a.org/kit/");
  EXPECT_EQ(head.lost[0].why, "did not finish: panic: boom");
  run.measurements.invocations[1].failure = "killed";
  EXPECT_TRUE(stored_samples(run.plan, run.measurements, imported, kHead, Policy{}).lost.empty());
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

TEST(JudgeSides, AreNeverMoreThanInconclusiveFromReports) {
  JudgedSides sides = wanted({});
  sides.plan.head.kind = sides.plan.base->kind = SideKind::files;
  sides.base = sessions("w", 1, 0.01);
  sides.head = sessions("w", 1, 0.03);
  for (auto* side : {&sides.base, &sides.head}) {
    SampleSeries& one = side->front().series[0];
    side->front().of_workloads = true;
    one.summary = SideStats{};
    one.summary->median = one.values.front();
    one.values.clear();
  }
  const Report report = judge_sides(sides, Policy{}, {});
  EXPECT_EQ(row(report, "w").verdict, Verdict::inconclusive);
  EXPECT_NEAR(*row(report, "w").change, 2, 1e-9);
  EXPECT_EQ(report.judged, 1);
  EXPECT_EQ(report.summary.counts.at(Verdict::inconclusive), 1);
  EXPECT_EQ(report.warnings.at(0).kind, WarningKind::no_samples);
}

}  // namespace
}  // namespace perf
