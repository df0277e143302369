#include "analyzer/analyze.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analyzer/rows/comparison_rows.h"
#include "reporter/text/sentences.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pair;
using scripted::add_pairs;
using scripted::block_of;
using scripted::failed_invocation;
using scripted::invocation_of;
using scripted::mentions;
using scripted::plan_of;

class Analyze : public ::testing::Test {
 protected:
  Plan plan = plan_of({"w"});
  Measurements measurements;
  Policy policy;
  Report report;

  void run() { report = analyze(plan, measurements, policy, {}); }

  const Comparison& row(const std::string& workload, const std::string& metric) const {
    return scripted::row_of(report, workload, metric);
  }
  void fail_head_twice(const std::string& workload, int pair) {
    measurements.invocations.push_back(failed_invocation(workload, Side::head, pair, 1));
    measurements.invocations.push_back(
        failed_invocation(workload, Side::head, pair, 2, "timed out"));
  }
  void fail_base_twice(const std::string& workload, int pair) {
    for (const int attempt : {1, 2}) {
      Invocation head = invocation_of(workload, Side::head, pair, {0.01});
      head.attempt = attempt;
      measurements.invocations.push_back(head);
      measurements.invocations.push_back(failed_invocation(workload, Side::base, pair, attempt));
    }
  }
};

TEST_F(Analyze, JudgesTimeAndMemory) {
  add_pairs(measurements, "w", 12, 1.2, 0.7);
  measurements.measured = 33;
  run();
  ASSERT_EQ(report.comparisons.size(), 2u);
  EXPECT_EQ(report.judged, 2);
  const Comparison& time = row("w", "step_time");
  EXPECT_EQ(time.verdict, Verdict::regressed);
  EXPECT_NEAR(*time.change, 0.2, 0.01);
  EXPECT_EQ(time.pairs, 12);
  EXPECT_EQ(time.look, 1);
  EXPECT_DOUBLE_EQ(*time.look_alpha, 0.01 / 12);
  EXPECT_EQ(time.base->invocations, 12);
  EXPECT_EQ(time.base->steps, 36);
  EXPECT_NEAR(time.base->median, 0.010, 1e-9);
  ASSERT_EQ(time.pair_changes.size(), 12u);
  EXPECT_NEAR(time.pair_changes.front(), 0.2, 0.05);
  const Comparison& memory = row("w", "peak_rss");
  EXPECT_EQ(memory.verdict, Verdict::improved);
  EXPECT_EQ(memory.base->steps, 0);
  EXPECT_EQ(report.summary.verdict, Verdict::regressed);
  EXPECT_EQ(report.summary.counts.at(Verdict::improved), 1);
  EXPECT_EQ(report.summary.counts.size(), kVerdicts.size());
  EXPECT_EQ(report.id, "run-1");
  EXPECT_EQ(report.measured, 33);
  EXPECT_FALSE(report.nothing_ran);
}

TEST_F(Analyze, RaisesTheMemoryThresholdToTheKernelsResolution) {
  policy.threshold = 0.05;
  for (int pair = 0; pair < 12; ++pair) {
    add_pair(measurements, "w", pair, 0.010, 0.010, 1'600'000, 1'600'000 + 31 * 4096);
  }
  run();
  EXPECT_EQ(row("w", "peak_rss").verdict, Verdict::unchanged);
  EXPECT_DOUBLE_EQ(row("w", "peak_rss").threshold, 64 * 4096 / 1.6e6);
  EXPECT_TRUE(mentions(row("w", "peak_rss").notes, "its threshold is 16 %"));
  EXPECT_DOUBLE_EQ(row("w", "step_time").threshold, 0.05);

  measurements = {};
  for (int pair = 0; pair < 12; ++pair) {
    add_pair(measurements, "w", pair, 0.010, 0.010, 160'000'000, 160'000'000 + 3100 * 4096);
  }
  run();
  EXPECT_EQ(row("w", "peak_rss").verdict, Verdict::regressed);
  EXPECT_DOUBLE_EQ(row("w", "peak_rss").threshold, 0.05);
  EXPECT_TRUE(row("w", "peak_rss").notes.empty());
}

TEST_F(Analyze, SortsByWorkloadThenMetric) {
  plan = plan_of({"z", "a"});
  plan.missing = {"m"};
  add_pairs(measurements, "z", 2, 1);
  add_pairs(measurements, "a", 2, 1);
  run();
  std::vector<std::string> order;
  for (const Comparison& one : report.comparisons) {
    order.push_back(one.workload + " " + one.metric.name);
  }
  EXPECT_EQ(order, (std::vector<std::string>{"a peak_rss", "a step_time", "m step_time",
                                             "z peak_rss", "z step_time"}));
}

TEST_F(Analyze, WorksBeforeAnythingRan) {
  run();
  ASSERT_EQ(report.comparisons.size(), 1u);
  EXPECT_EQ(report.comparisons[0].verdict, Verdict::inconclusive);
  EXPECT_EQ(report.comparisons[0].pairs, 0);
  EXPECT_TRUE(report.nothing_ran);
  EXPECT_EQ(report.judged, 0);
}

TEST_F(Analyze, ReportsWhatWouldDecideAnUndecidedReport) {
  plan = plan_of({"w", "x"});
  add_pairs(measurements, "w", 3, 1.5);
  add_pairs(measurements, "x", 2, 1);
  for (Invocation& one : measurements.invocations) {
    one.process.wall = 0.5;
  }
  measurements.measured = 5;
  measurements.budget_spent = true;
  run();
  ASSERT_TRUE(report.undecided);
  EXPECT_FALSE(report.undecided->ruled_out);
  EXPECT_EQ(report.undecided->decides, 4);
  // m = 4: the first look is at 13.
  EXPECT_NEAR(report.undecided->budget.value(), 26, 1e-9);
  measurements.invocations.resize(2);  // the other workload had no pair, and is thought to be alike
  measurements.measured = 1;
  run();
  EXPECT_NEAR(report.undecided.value().budget.value(), 2 * 12, 1e-9);
}

TEST_F(Analyze, RulesOutChangesBeyondEveryInterval) {
  for (int pair = 0; pair < 12; ++pair) {
    const bool up = pair % 2 == 0;
    add_pair(measurements, "w", pair, 1, up ? 1.3 : 1 / 1.2, 100'000'000,
             up ? 130'000'000 : 83'300'000);
  }
  measurements.budget_spent = true;
  run();
  ASSERT_TRUE(report.undecided);
  EXPECT_NEAR(report.undecided->ruled_out.value(), 0.3, 0.01);
  EXPECT_FALSE(report.undecided->budget) << "no look would do";
  add_pairs(measurements, "x", 14, 1);
  plan = plan_of({"w", "x"});
  run();
  EXPECT_FALSE(report.undecided) << "some are decided";
}

TEST_F(Analyze, RulesOutNothingWhereOneChangeHasNoBound) {
  plan = plan_of({"w", "x"});
  policy.metrics = {"step_time"};
  for (int pair = 0; pair < 14; ++pair) {
    const bool up = pair % 2 == 0;
    add_pair(measurements, "w", pair, up ? 0 : 1, 1);
    add_pair(measurements, "x", pair, 1, up ? 1.3 : 1 / 1.2);
  }
  measurements.budget_spent = true;
  run();
  EXPECT_GT(row("w", "step_time").look, 0);
  EXPECT_FALSE(row("w", "step_time").interval);
  ASSERT_TRUE(row("x", "step_time").interval);
  ASSERT_TRUE(report.undecided);
  EXPECT_FALSE(report.undecided->ruled_out) << "of w, nothing is";
}

TEST_F(Analyze, IsInconclusiveBeforeTheFirstLook) {
  add_pairs(measurements, "w", 5, 1.5);
  run();
  const Comparison& time = row("w", "step_time");
  EXPECT_EQ(time.verdict, Verdict::inconclusive);
  EXPECT_EQ(time.pairs, 5);
  EXPECT_EQ(time.look, 0);
  EXPECT_NEAR(*time.change, 0.5, 0.01);
  EXPECT_FALSE(time.interval);
  EXPECT_EQ(time.pairs_needed, 12);
  EXPECT_TRUE(mentions(time.warnings, "too few pairs: 5"));
}

TEST_F(Analyze, TakesTheLookAtTheBudgetsEnd) {
  // Undecided at 12: a wide spread around no change; the later pairs are calm.
  for (int pair = 0; pair < 12; ++pair) {
    add_pair(measurements, "w", pair, 0.010, pair % 4 == 0 ? 0.0125 : 0.010);
  }
  for (int pair = 12; pair < 17; ++pair) {
    add_pair(measurements, "w", pair, 0.010, 0.010);
  }
  run();
  EXPECT_EQ(row("w", "step_time").verdict, Verdict::inconclusive);
  EXPECT_EQ(row("w", "step_time").pairs, 12);
  measurements.budget_spent = true;
  run();
  EXPECT_EQ(row("w", "step_time").pairs, 17);
  EXPECT_EQ(row("w", "step_time").look, 2);
  // Memory never moved and was decided at the first look: it keeps its pairs.
  EXPECT_EQ(row("w", "peak_rss").verdict, Verdict::unchanged);
  EXPECT_EQ(row("w", "peak_rss").pairs, 12);
  EXPECT_EQ(row("w", "peak_rss").base->invocations, 12);
}

TEST_F(Analyze, ReportsWhatTheBudgetLeftOpen) {
  add_pairs(measurements, "w", 5, 1.0);
  measurements.budget_spent = true;
  run();
  EXPECT_TRUE(report.budget_spent);
  EXPECT_EQ(report.summary.counts.at(Verdict::inconclusive), 2);

  measurements.interrupted = true;
  run();
  EXPECT_FALSE(report.budget_spent) << "it was not the budget that ended it";
}

TEST_F(Analyze, FailedHeadIsOneRow) {
  fail_head_twice("w", 0);
  run();
  ASSERT_EQ(report.comparisons.size(), 1u);
  EXPECT_EQ(report.comparisons[0].metric, kStepTime);
  EXPECT_EQ(report.comparisons[0].verdict, Verdict::failed);
  EXPECT_TRUE(report.comparisons[0].judged);
  EXPECT_TRUE(mentions(report.comparisons[0].warnings, "timed out"));
  EXPECT_EQ(report.summary.verdict, Verdict::failed);
}

TEST_F(Analyze, HeadThatDoesNotBuildIsOneRow) {
  plan.workloads[0].head_failed = "head did not build";
  run();
  ASSERT_EQ(report.comparisons.size(), 1u);
  EXPECT_EQ(report.comparisons[0].verdict, Verdict::failed);
  EXPECT_TRUE(mentions(report.comparisons[0].warnings, "head did not build"));
}

TEST_F(Analyze, DecidedRowsSurviveALaterFailure) {
  // Time is wild, memory decided at the first look; then head starts to fail.
  for (int pair = 0; pair < 12; ++pair) {
    add_pair(measurements, "w", pair, 0.010, pair % 2 == 0 ? 0.015 : 0.0067, 1'000'000, 1'500'000);
  }
  fail_head_twice("w", 12);
  run();
  ASSERT_EQ(report.comparisons.size(), 2u);
  EXPECT_EQ(row("w", "peak_rss").verdict, Verdict::regressed);
  EXPECT_EQ(row("w", "step_time").verdict, Verdict::failed);
  EXPECT_EQ(report.judged, 2);
}

TEST_F(Analyze, FailedBaseMakesHeadNew) {
  fail_base_twice("w", 0);
  run();
  ASSERT_EQ(report.comparisons.size(), 2u);
  for (const Comparison& one : report.comparisons) {
    EXPECT_EQ(one.verdict, Verdict::fresh);
    EXPECT_FALSE(one.base);
    EXPECT_TRUE(one.head);
    EXPECT_FALSE(one.change);
  }
  EXPECT_TRUE(mentions(row("w", "step_time").warnings, "base failed twice"));
  EXPECT_EQ(report.summary.verdict, Verdict::fresh);
}

// Its server, licence or data set is gone: nothing was compared.
TEST_F(Analyze, BaseThatCannotRunItsOwnConfigFails) {
  plan.workloads[0].of_base = true;
  fail_base_twice("w", 0);
  run();
  EXPECT_EQ(report.summary.verdict, Verdict::failed);
  EXPECT_TRUE(mentions(row("w", "step_time").warnings, "base failed: exit code 1"));
  plan.workloads[0].base_missing = "base did not build\nerror";
  measurements = {};
  run();
  EXPECT_EQ(report.summary.verdict, Verdict::failed);
  EXPECT_TRUE(mentions(row("w", "step_time").warnings, "base did not build"));
}

// Each pair counts once head has ended well in it.
TEST_F(Analyze, RunsThatFailMoreOftenAtHeadAreANewFailure) {
  struct Case {
    int base, head;  // pairs of 12 in which the first attempt fails
    bool is_new;
  };
  for (const Case& one : {Case{0, 8, true}, {1, 11, true}, {0, 2, false}, {6, 8, false}}) {
    measurements = {};
    for (int pair = 0; pair < 12; ++pair) {
      const bool base = pair < one.base, head = pair < one.head;
      if (base || head) {
        measurements.invocations.push_back(base ? failed_invocation("w", Side::base, pair)
                                                : invocation_of("w", Side::base, pair, {0.01}));
        measurements.invocations.push_back(head ? failed_invocation("w", Side::head, pair)
                                                : invocation_of("w", Side::head, pair, {0.01}));
      }
      add_pair(measurements, "w", pair, 0.01, 0.01);
      measurements.invocations.back().attempt = base || head ? 2 : 1;
      measurements.invocations.end()[-2].attempt = base || head ? 2 : 1;
    }
    run();
    const Comparison& time = row("w", "step_time");
    EXPECT_EQ(time.verdict, Verdict::unchanged);
    EXPECT_EQ(has_new_check_failure(report), one.is_new) << one.base << " " << one.head;
    EXPECT_TRUE(
        mentions(time.warnings, "runs failed at head, " + std::to_string(one.base) + " of "));
    ASSERT_EQ(time.checks.size(), 1U);
    EXPECT_EQ(time.checks[0].name, kRunsEndWell);
  }
}

// Reports of 4 workloads whose runs fail on both sides alike, and whose times do not differ.
TEST_F(Analyze, FlakyRunsAreSeldomANewFailure) {
  plan = plan_of({"a", "b", "c", "d"});
  std::mt19937_64 engine(41);
  constexpr int kReports = 400;
  for (const double rate : {0.02, 0.1, 0.25}) {
    std::bernoulli_distribution fails(rate);
    int wrong = 0;
    for (int i = 0; i < kReports; ++i) {
      measurements = {};
      for (const PlannedWorkload& planned : plan.workloads) {
        for (int pair = 0; pair < 13; ++pair) {
          for (int attempt = 1; attempt <= 2; ++attempt) {
            bool failed = false;
            for (const Side side : {Side::base, Side::head}) {
              const std::string& name = planned.workload.name;
              const bool one = fails(engine);
              failed |= one;
              measurements.invocations.push_back(
                  one ? failed_invocation(name, side, pair, attempt)
                      : invocation_of(name, side, pair, {0.01, 0.01, 0.01}));
              measurements.invocations.back().attempt = attempt;
            }
            if (!failed) {
              break;
            }
          }
        }
      }
      run();
      wrong += has_new_check_failure(report) ? 1 : 0;
    }
    EXPECT_LE(wrong, policy.alpha * kReports) << rate;
  }
}

// Base leaves something behind that slows whoever comes next by 30 %; head does not.
TEST_F(Analyze, CarryOverIsNoRegression) {
  std::mt19937_64 engine(28);
  bool hot = false;
  for (int pair = 0; pair < 74; ++pair) {
    const bool base_first = (engine() & 1U) != 0;
    for (const bool at_base : {base_first, !base_first}) {
      measurements.invocations.push_back(
          invocation_of("w", at_base ? Side::base : Side::head, pair, {hot ? 0.013 : 0.010}));
      measurements.invocations.back().start_order =
          static_cast<std::int64_t>(measurements.invocations.size());
      hot = at_base;
    }
  }
  run();
  EXPECT_EQ(row("w", "step_time").verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(row("w", "step_time").warnings, "the order of the processes matters"));
  EXPECT_EQ(row("w", "peak_rss").verdict, Verdict::unchanged);
}

// 45 % of head's steps take 20 times as long: the median does not move.
TEST_F(Analyze, MeansThatContradictMediansAreAWarning) {
  for (int pair = 0; pair < 12; ++pair) {
    std::vector<double> steps(20, 0.01);
    measurements.invocations.push_back(invocation_of("w", Side::base, pair, steps));
    std::fill_n(steps.begin(), 9, 0.2);
    measurements.invocations.push_back(invocation_of("w", Side::head, pair, steps));
  }
  run();
  EXPECT_EQ(row("w", "step_time").verdict, Verdict::unchanged);
  EXPECT_TRUE(mentions(row("w", "step_time").warnings, "the mean of the steps changed by +855 %"));
  for (Invocation& invocation : measurements.invocations) {
    invocation.blocks[0].steps.resize(12);  // 8 of 11 timed ones
  }
  run();
  EXPECT_EQ(row("w", "step_time").verdict, Verdict::regressed);
  EXPECT_FALSE(mentions(row("w", "step_time").warnings, "mean and median")) << "both are slower";
}

TEST_F(Analyze, WorkLeftInTheBackgroundDecidesNothing) {
  add_pairs(measurements, "w", 12, 0.1);
  const auto leave = [&](Side side) {
    for (Invocation& invocation : measurements.invocations) {
      if (invocation.side == side) {
        invocation.blocks[0].facts[kLeftRunning] = "1";
      }
    }
  };
  leave(Side::head);
  run();
  EXPECT_EQ(row("w", "step_time").verdict, Verdict::inconclusive);
  EXPECT_TRUE(mentions(row("w", "step_time").warnings, "outlived 12 of 12 runs at head, 0 of 12"));
  leave(Side::base);  // a daemon of both
  run();
  EXPECT_EQ(row("w", "step_time").verdict, Verdict::improved);
  EXPECT_TRUE(mentions(row("w", "step_time").warnings, "outlived 12 of 12 runs at head, 12 of 12"));
}

TEST_F(Analyze, MemoryOfTheLargestProcessAloneIsAWarning) {
  add_pairs(measurements, "w", 12, 1.0);
  measurements.invocations.back().blocks[0].facts[kMemoryOf] = kLargestProcess;
  run();
  EXPECT_TRUE(mentions(row("w", "peak_rss").warnings, "of the largest of several processes"));
  EXPECT_FALSE(mentions(row("w", "step_time").warnings, "several processes"));
}

TEST_F(Analyze, RootCommitIsAllNew) {
  plan = plan_of({"w"}, false);
  Invocation alone = invocation_of("w", Side::head, 0, {0.01, 0.02});
  alone.paired = false;
  measurements.invocations.push_back(alone);
  run();
  EXPECT_EQ(report.summary.counts.at(Verdict::fresh), 2);
  EXPECT_EQ(report.judged, 0);
  EXPECT_FALSE(report.nothing_ran);
}

TEST_F(Analyze, MissingWorkloadsAreRows) {
  plan.missing = {"gone"};
  add_pairs(measurements, "w", 12, 1.0);
  run();
  EXPECT_EQ(row("gone", "step_time").verdict, Verdict::missing);
  EXPECT_EQ(report.summary.verdict, Verdict::missing);
}

TEST_F(Analyze, MetricsOfOneSideAreNewOrMissing) {
  add_pairs(measurements, "w", 12, 1.0);
  for (Invocation& invocation : measurements.invocations) {
    const char* name = invocation.side == Side::head ? "added" : "dropped";
    invocation.blocks[0].metrics = {{Metric{name, "s", Better::lower}, 1, true},
                                    {Metric{"quiet_" + std::string(name), "s", Better::lower}, 1}};
  }
  run();
  EXPECT_EQ(row("w", "added").verdict, Verdict::fresh);
  EXPECT_FALSE(row("w", "added").base);
  EXPECT_EQ(row("w", "dropped").verdict, Verdict::missing);
  EXPECT_FALSE(row("w", "dropped").head);
  EXPECT_FALSE(row("w", "quiet_added").judged);
  EXPECT_FALSE(row("w", "quiet_added").verdict);
  EXPECT_EQ(report.judged, 2);
}

// Head may leave out its slow values; base and head may leave out those of a seed.
TEST_F(Analyze, MetricsThatOneSideLeavesOutAreNotDecided) {
  add_pairs(measurements, "w", 20, 1.0);
  for (Invocation& invocation : measurements.invocations) {
    const auto report = [&](const std::string& name, bool reports) {
      if (reports) {
        invocation.blocks[0].metrics.push_back({Metric{name, "s", Better::lower}, 1, true});
      }
    };
    const bool at_head = invocation.side == Side::head;
    report("seldom", !at_head || invocation.pair != 5);
    report("often", !at_head || invocation.pair % 5 != 3);
    report("first", !at_head || invocation.pair > 2);
    report("both", invocation.pair % 5 != 3);
  }
  run();
  EXPECT_EQ(row("w", "seldom").verdict, Verdict::unchanged);
  EXPECT_EQ(row("w", "both").verdict, Verdict::unchanged);
  EXPECT_EQ(row("w", "often").verdict, Verdict::inconclusive);
  EXPECT_EQ(row("w", "first").verdict, Verdict::inconclusive);
  EXPECT_TRUE(row("w", "first").judged);
}

TEST_F(Analyze, UnjudgedMetricsAreShownWithoutAVerdict) {
  add_pairs(measurements, "w", 12, 1.0);
  for (Invocation& invocation : measurements.invocations) {
    const double value = invocation.side == Side::head ? 2 : 1;
    invocation.blocks[0].metrics = {{Metric{"x", "s", Better::lower}, value}};
  }
  run();
  const Comparison& one = row("w", "x");
  EXPECT_FALSE(one.judged);
  EXPECT_FALSE(one.verdict);
  EXPECT_DOUBLE_EQ(*one.change, 1);
  EXPECT_TRUE(one.interval);
  EXPECT_EQ(report.summary.verdict, Verdict::unchanged);
}

TEST_F(Analyze, NegativeValuesAreIncomparable) {
  add_pairs(measurements, "w", 12, 1.0);
  for (Invocation& invocation : measurements.invocations) {
    invocation.blocks[0].metrics = {{Metric{"loss", "1", Better::lower}, -1, true}};
  }
  run();
  EXPECT_EQ(row("w", "loss").verdict, Verdict::incomparable);
  EXPECT_FALSE(row("w", "loss").change);
  EXPECT_TRUE(mentions(row("w", "loss").warnings, "no ratio"));
  EXPECT_EQ(report.judged, 3);
}

TEST_F(Analyze, MetricThatCameLateIsNotJudged) {
  add_pairs(measurements, "w", 12, 1.0);
  for (std::size_t i = 2; i < measurements.invocations.size(); ++i) {
    measurements.invocations[i].blocks[0].metrics = {{Metric{"x", "s", Better::lower}, 1, true}};
  }
  run();
  EXPECT_FALSE(row("w", "x").judged);
  EXPECT_TRUE(mentions(row("w", "x").warnings, "first pair"));
  EXPECT_EQ(report.judged, 2);
}

TEST_F(Analyze, WarnsOfAMetricThatSomePairsLack) {
  add_pairs(measurements, "w", 12, 1.0);
  measurements.invocations[9].process.peak_rss.reset();
  run();
  EXPECT_EQ(row("w", "peak_rss").pairs, 11);
  EXPECT_TRUE(mentions(row("w", "peak_rss").warnings, "only 11 of 12 pairs"));
}

TEST_F(Analyze, ShowsTheMetricsOfTheFilter) {
  add_pairs(measurements, "w", 12, 1.0);
  policy.metrics = {"peak_rss"};
  run();
  ASSERT_EQ(report.comparisons.size(), 1u);
  EXPECT_EQ(report.comparisons[0].metric, kPeakRss);
  EXPECT_EQ(report.judged, 1);
}

TEST_F(Analyze, SeveralBlocksAreSeveralRows) {
  add_pairs(measurements, "w", 12, 1.0);
  for (Invocation& invocation : measurements.invocations) {
    const double slow = invocation.side == Side::head ? 1.3 : 1.0;
    invocation.blocks = {block_of({1, 1, 1}, "dot"), block_of({slow}, "axpy")};
  }
  measurements.invocations.back().blocks[1].facts["threads"] = "2";
  run();
  EXPECT_EQ(report.judged, 3);
  EXPECT_EQ(row("w/dot", "step_time").verdict, Verdict::unchanged);
  EXPECT_EQ(row("w/axpy", "step_time").verdict, Verdict::regressed);
  EXPECT_EQ(row("w", "peak_rss").verdict, Verdict::unchanged);
  EXPECT_EQ(report.workload_facts.at("w/axpy").at("threads"), "2");
}

TEST_F(Analyze, MergesChecksOntoTheTimeRow) {
  add_pairs(measurements, "w", 12, 0.5);
  for (Invocation& invocation : measurements.invocations) {
    Check check;
    check.name = "output_matches_reference";
    check.passed = invocation.side == Side::base;
    check.error = invocation.side == Side::base ? 1e-6 : 0.5;
    invocation.blocks[0].checks = {check};
  }
  run();
  const Comparison& time = row("w", "step_time");
  EXPECT_EQ(time.verdict, Verdict::improved);  // faster, but wrong
  ASSERT_EQ(time.checks.size(), 1u);
  EXPECT_EQ(time.checks[0].base, true);
  EXPECT_EQ(time.checks[0].head, false);
  EXPECT_EQ(time.checks[0].error, 0.5);
  EXPECT_TRUE(row("w", "peak_rss").checks.empty());
  EXPECT_TRUE(has_new_check_failure(report));
}

TEST_F(Analyze, ChecksAreKeptWhateverIsFiltered) {
  add_pairs(measurements, "w", 12, 1.0);
  for (Invocation& invocation : measurements.invocations) {
    invocation.blocks[0].checks = {Check{"c", false, {}, {}}};
  }
  policy.metrics = {"peak_rss"};
  run();
  EXPECT_EQ(report.comparisons[0].checks.size(), 1u);
}

TEST_F(Analyze, NamesThePhasesOfAChange) {
  add_pairs(measurements, "w", 12, 1.2);
  for (Invocation& invocation : measurements.invocations) {
    for (Step& step : invocation.blocks[0].steps) {
      const double more = invocation.side == Side::head ? 0.002 : 0;
      step.phases = {{"forward", 0.004}, {"backward", 0.006 + more}};
    }
  }
  run();
  const Comparison& time = row("w", "step_time");
  ASSERT_EQ(time.phases.size(), 2u);
  EXPECT_NEAR(*time.phases[0].change, 0, 1e-12);
  EXPECT_NEAR(*time.phases[1].change, 1.0 / 3, 1e-9);
}

TEST_F(Analyze, WarnsOfNoise) {
  add_pairs(measurements, "w", 12, 1.0);
  for (std::size_t i = 0; i < measurements.invocations.size(); i += 2) {
    measurements.invocations[i].blocks[0].steps.back().seconds = 0.03;
  }
  run();
  EXPECT_TRUE(
      mentions(row("w", "step_time").warnings, "noisy: coefficient of variation above 10 %"));
  EXPECT_FALSE(mentions(row("w", "peak_rss").warnings, "noisy"));
}

TEST_F(Analyze, WarnsOfRetries) {
  add_pairs(measurements, "w", 12, 1.0);
  measurements.invocations.push_back(failed_invocation("w", Side::head, 3, 0, "signal 11"));
  run();
  EXPECT_TRUE(mentions(row("w", "step_time").warnings, "1 pair was run again"));
  EXPECT_TRUE(mentions(row("w", "step_time").warnings, "signal 11"));
}

TEST_F(Analyze, WarnsOfFactsThatDifferBetweenTheSides) {
  add_pairs(measurements, "w", 12, 1.0);
  for (Invocation& invocation : measurements.invocations) {
    invocation.blocks[0].facts = {
        {"blas_core", invocation.side == Side::head ? "SkylakeX" : "Haswell"},
        {"corpus", invocation.side == Side::head ? "new" : "old"},
        {"threads", "2"}};
  }
  run();
  const Comparison& steps = row("w", "step_time");
  ASSERT_EQ(steps.warnings.size(), 1u);
  EXPECT_EQ(steps.warnings[0].kind, WarningKind::unlike_environments);
  EXPECT_EQ(reporter::sentence(steps.warnings[0]),
            "different environments: blas_core is Haswell at base, SkylakeX at head");
  EXPECT_TRUE(mentions(steps.notes, "corpus is old at base, new at head"))
      << "it need not change a timing";
  EXPECT_FALSE(mentions(steps.notes, "threads"));
  EXPECT_EQ(report.workload_facts.at("w").at("blas_core"), "SkylakeX");
}

TEST_F(Analyze, ThresholdsFollowThePolicy) {
  add_pairs(measurements, "w", 12, 1.07);
  policy.thresholds = {{"w", "step_time", 0.05}};
  run();
  EXPECT_EQ(row("w", "step_time").threshold, 0.05);
  EXPECT_EQ(row("w", "step_time").verdict, Verdict::regressed);
  EXPECT_DOUBLE_EQ(row("w", "peak_rss").threshold, 64 * 4096 / 1e6) << "of 1 MB";
  for (Invocation& one : measurements.invocations) {
    one.process.peak_rss = 100'000'000;
  }
  run();
  EXPECT_EQ(row("w", "peak_rss").threshold, 0.10);
}

TEST_F(Analyze, EmptyPlanIsAnEmptyReport) {
  plan = plan_of({});
  run();
  EXPECT_TRUE(report.comparisons.empty());
  EXPECT_TRUE(report.nothing_ran);
  EXPECT_EQ(report.summary.verdict, Verdict::unchanged);
}

TEST_F(Analyze, UnreachableLooksDoNotThrowHere) {
  policy.max_pairs = 3;
  add_pairs(measurements, "w", 2, 1.0);
  run();
  EXPECT_EQ(row("w", "step_time").verdict, Verdict::inconclusive);
}

TEST_F(Analyze, InterruptedInsideTheFirstPairIsNeitherNewNorMissing) {
  for (const Side side : {Side::head, Side::base}) {
    measurements = {};
    measurements.invocations.push_back(invocation_of("w", side, 0, {0.01}));
    measurements.invocations.back().blocks[0].checks = {Check{"c", false, {}, {}}};
    run();
    ASSERT_EQ(report.comparisons.size(), 1u);
    EXPECT_EQ(report.comparisons[0].verdict, Verdict::inconclusive);
    ASSERT_EQ(report.comparisons[0].warnings.size(), 1u);
    EXPECT_EQ(reporter::sentence(report.comparisons[0].warnings[0]), "not measured");
    for (bool* how : {&measurements.interrupted, &measurements.budget_spent}) {
      *how = true;
      run();
      *how = false;
      ASSERT_EQ(report.comparisons.size(), 1u);
      EXPECT_EQ(report.comparisons[0].metric, kStepTime);
      EXPECT_EQ(report.comparisons[0].verdict, Verdict::inconclusive);
      EXPECT_TRUE(mentions(report.comparisons[0].warnings,
                           "not measured: the run ended before its first pair was complete"));
      EXPECT_FALSE(has_new_check_failure(report)) << "nothing was compared";
    }
  }
}

TEST_F(Analyze, WorkloadWithoutTheMetricAskedForSaysSo) {
  plan = plan_of({"w", "x"});
  add_pairs(measurements, "w", 12, 1.0);
  add_pairs(measurements, "x", 12, 1.0);
  for (Invocation& invocation : measurements.invocations) {
    if (invocation.workload == "x") {
      invocation.blocks[0].metrics = {{Metric{"m", "s", Better::lower}, 1}};
    }
  }
  policy.metrics = {"m"};
  run();
  EXPECT_EQ(row("x", "m").verdict, Verdict::unchanged);
  EXPECT_TRUE(mentions(row("w", "m").warnings, "not measured: no such metric"));
}

TEST_F(Analyze, MisspeltMetricDoesNotThrowHere) {
  add_pairs(measurements, "w", 12, 1.0);
  policy.metrics = {"step_tmie"};
  run();
  EXPECT_EQ(row("w", "step_tmie").verdict, Verdict::inconclusive);
}

TEST_F(Analyze, OneInvocationsChecksAtBaseDoNotHideAWrongHead) {
  add_pairs(measurements, "w", 12, 1.0);
  for (Invocation& invocation : measurements.invocations) {
    const bool flaked = invocation.pair == 3 || invocation.pair == 7;
    invocation.blocks[0].checks = {Check{"wrong", invocation.side == Side::base && !flaked, {}, {}},
                                   Check{"shaky", !flaked, {}, {}}, Check{"sound", true, {}, {}}};
  }
  run();
  EXPECT_TRUE(has_new_check_failure(report));
  const Comparison& time = row("w", "step_time");
  ASSERT_EQ(time.checks.size(), 3u);
  EXPECT_FALSE(is_new_failure(time.checks[0]));
  EXPECT_TRUE(is_new_failure(time.checks[2]));
  EXPECT_TRUE(mentions(time.notes, "check wrong fails in 12 of 12 at head, 2 of 12 at base"));
  EXPECT_TRUE(mentions(time.notes, "check shaky fails in 2 of 12 at head, 2 of 12 at base"));
  EXPECT_FALSE(mentions(time.notes, "sound"));
}

TEST_F(Analyze, TargetOnAMetricThatIsNotThereIsWarnedOf) {
  plan = plan_of({"w", "later"});
  add_pairs(measurements, "w", 12, 1.0);
  Target target;
  target.name = "fits";
  target.of = "w";
  target.metric = "peak_memory";
  target.at_most = 1;
  const auto warnings = [&] { return analyze(plan, measurements, policy, {target}).warnings; };
  EXPECT_EQ(
      warnings(),
      (std::vector<Warning>{{WarningKind::target_without_metric,
                             {},
                             {{"target", "fits"}, {"workload", "w"}, {"metric", "peak_memory"}}}}));
  EXPECT_EQ(reporter::sentence(warnings()[0]),
            "target 'fits': workload 'w' has no metric 'peak_memory'");
  for (Invocation& invocation : measurements.invocations) {
    if (invocation.side == Side::base) {
      invocation.blocks[0].metrics = {{Metric{"peak_memory", "B", Better::lower}, 1, true}};
    }
  }
  EXPECT_EQ(warnings().size(), 1u) << "head stopped reporting it";
  target.over = "w";
  EXPECT_EQ(warnings().size(), 1u) << "once is enough";
  target.of = target.over = "later";
  EXPECT_TRUE(warnings().empty()) << "what did not run may have it";
  target.of = "w";
  target.metric = "step_time";
  EXPECT_TRUE(warnings().empty());
  target.metric = "peak_memory";
  target.size = "full";
  EXPECT_TRUE(warnings().empty()) << "it speaks of another size";
}

TEST_F(Analyze, HeadAloneThatFailedNowAndThenIsNewWithAWarning) {
  plan = plan_of({"w"}, false);
  for (const int pair : {0, 1, 2}) {
    measurements.invocations.push_back(failed_invocation("w", Side::head, pair));
    measurements.invocations.push_back(invocation_of("w", Side::head, pair, {1}));
    measurements.invocations.back().attempt = 2;
  }
  for (Invocation& invocation : measurements.invocations) {
    invocation.paired = false;
  }
  run();
  EXPECT_EQ(row("w", "step_time").verdict, Verdict::fresh);
  EXPECT_TRUE(mentions(row("w", "step_time").warnings,
                       "3 invocations were run again; the first time, head failed: exit code 1"));
}

TEST_F(Analyze, InterruptedRunIsReported) {
  add_pairs(measurements, "w", 14, 1.2);
  measurements.interrupted = true;
  run();
  EXPECT_TRUE(report.interrupted);
  EXPECT_EQ(row("w", "step_time").verdict, Verdict::regressed);
}

}  // namespace
}  // namespace perf
