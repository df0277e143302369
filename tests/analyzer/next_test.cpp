#include "analyzer/next.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "analyzer/rule/look_schedule.h"
#include "analyzer/samples/serving.h"
#include "analyzer/samples/standing.h"
#include "schema/error.h"
#include "tests/analyzer/samples/scripted_run.h"
#include "tests/thrown_by.h"

namespace perf {
namespace {

using scripted::add_pair;
using scripted::add_pairs;
using scripted::failed_invocation;
using scripted::invocation_of;
using scripted::plan_of;

// A pair that no threshold of 10 % can decide: differences of +-50 %.
void add_wild_pairs(Measurements& measurements, const std::string& workload, int from, int to) {
  for (int pair = from; pair < to; ++pair) {
    add_pair(measurements, workload, pair, 0.010, pair % 2 == 0 ? 0.015 : 0.0067);
  }
}

/// "a 12; b alone 5": what is wanted next of which workload; empty: nothing.
std::string demanded(const Plan& plan, const Measurements& measurements,
                     const Policy& policy = {}) {
  std::string text;
  if (const auto demand = next(plan, measurements, policy)) {
    for (const WorkloadDemand& wanted : demand->workloads) {
      text += (text.empty() ? "" : "; ") + plan.workloads[wanted.workload].workload.name +
              (wanted.paired ? " " : " alone ") + std::to_string(wanted.count);
    }
  }
  return text;
}

TEST(Next, StartsWithOnePairOfEverything) {
  const Policy policy;
  EXPECT_EQ(demanded(plan_of({"a", "b"}), {}), "a 1; b 1");
  const auto demand = next(plan_of({"a", "b"}), {}, policy);
  EXPECT_EQ(demand->workloads[0].steps, policy.initial_steps);
  EXPECT_EQ(demand->workloads[0].warmup, policy.warmup_steps);
  EXPECT_EQ(demand->budget_left, policy.budget);
}

TEST(Next, WaitsForEveryFirstPair) {
  Measurements measurements;
  add_pair(measurements, "a", 0, 1, 1);
  EXPECT_EQ(demanded(plan_of({"a", "b"}), measurements), "b 1");
}

TEST(Next, CompletesThePilotAndGoesToTheFirstLookWithTheChosenSteps) {
  const Plan plan = plan_of({"a"});
  Measurements measurements;
  add_pair(measurements, "a", 0, 1, 1);
  EXPECT_EQ(demanded(plan, measurements), "a 3");
  EXPECT_EQ(next(plan, measurements, Policy{})->workloads[0].steps, 8);
  measurements = {};
  add_pairs(measurements, "a", 4, 1.0);
  EXPECT_EQ(demanded(plan, measurements), "a 8") << "12 - 4; m = 2: step_time and peak_rss";
  EXPECT_EQ(next(plan, measurements, Policy{})->workloads[0].steps, 4)
      << "no noise within: the fewest";
}

TEST(Next, FinishedWorkloadsStopCostingTime) {
  Measurements measurements;
  add_pairs(measurements, "calm", 13, 1.0);
  add_wild_pairs(measurements, "wild", 0, 13);
  EXPECT_EQ(demanded(plan_of({"calm", "wild"}), measurements), "wild 6") << "19 - 13";
}

TEST(Next, EndsWhenEverythingIsDecided) {
  Measurements measurements;
  add_pairs(measurements, "a", 12, 1.2);
  EXPECT_FALSE(next(plan_of({"a"}), measurements, Policy{}));
}

TEST(Next, EndsAtTheLastLook) {
  const int last = look_schedule(Policy{}, 2).back();
  Measurements measurements;
  add_wild_pairs(measurements, "a", 0, last - 1);
  ASSERT_TRUE(next(plan_of({"a"}), measurements, Policy{}));
  add_wild_pairs(measurements, "a", last - 1, last);
  EXPECT_FALSE(next(plan_of({"a"}), measurements, Policy{}));
}

TEST(Next, EndsWithTheBudgetOrWhenInterrupted) {
  const Plan plan = plan_of({"a"});
  Measurements measurements;
  add_pairs(measurements, "a", 4, 1.0);
  ASSERT_TRUE(next(plan, measurements, Policy{}));
  measurements.budget_spent = true;
  EXPECT_FALSE(next(plan, measurements, Policy{}));
  measurements.budget_spent = false;
  measurements.interrupted = true;
  EXPECT_FALSE(next(plan, measurements, Policy{}));
  measurements.interrupted = false;
  measurements.measured = Policy{}.budget;
  EXPECT_FALSE(next(plan, measurements, Policy{}));
}

TEST(Next, ThrowsWhenThePairsCannotReachALook) {
  const Plan plan = plan_of({"a"});
  Policy policy;
  policy.max_pairs = 11;
  Measurements measurements;
  EXPECT_TRUE(next(plan, measurements, policy));  // m is not known yet
  add_pair(measurements, "a", 0, 0.1, 0.1);
  EXPECT_THROW(next(plan, measurements, policy), UsageError);
  policy.max_pairs = 12;
  EXPECT_TRUE(next(plan, measurements, policy));
}

/// Pairs of 2.1 s, in both orders.
void add_dear_pairs(Measurements& measurements, const std::string& workload, int from, int to,
                    double ratio) {
  for (int pair = from; pair < to; ++pair) {
    add_pair(measurements, workload, pair, 0.33, 0.33 * ratio);
    const auto last = measurements.invocations.end();
    (last - 1)->start_order = 2 * pair + (pair % 2);
    (last - 2)->start_order = 2 * pair + 1 - (pair % 2);
  }
}

// m = 2: step_time and peak_rss, which is equal.
TEST(Next, LooksAtDearPairsOneByOne) {
  for (const double ratio : {1.0, 1.2}) {
    Measurements measurements;
    int pairs = 0;
    std::vector<int> counts;
    while (const auto demand = next(plan_of({"a"}), measurements, Policy{})) {
      counts.push_back(demand->workloads[0].count);
      add_dear_pairs(measurements, "a", pairs, pairs + counts.back(), ratio);
      pairs += counts.back();
    }
    EXPECT_EQ(counts, (std::vector<int>{1, 3, 1, 1, 1})) << ratio;
  }
}

TEST(Next, TakesTheWholeTestOfFewPairsOfADearWorkload) {
  Policy policy;
  policy.max_pairs = 6;
  Measurements measurements;
  add_dear_pairs(measurements, "a", 0, 5, 1.2);
  EXPECT_EQ(next(plan_of({"a"}), measurements, policy)->workloads[0].count, 1);
  add_dear_pairs(measurements, "a", 5, 6, 1.2);
  EXPECT_FALSE(next(plan_of({"a"}), measurements, policy));
  policy.max_pairs = 0;
  policy.budget = 15;  // s: less than the first ordinary look takes
  EXPECT_FALSE(next(plan_of({"a"}), measurements, policy)) << "decided at six";
  policy.budget = 600;
  EXPECT_TRUE(next(plan_of({"a"}), measurements, policy));
}

TEST(FirstVerdicts, AreThoseOfDearWorkloads) {
  Measurements measurements;
  const Plan plan = plan_of({"a", "b"});
  EXPECT_FALSE(first_verdicts(standing_of(plan, measurements, Policy{})));
  add_pair(measurements, "a", 0, 0.1, 0.1);
  EXPECT_FALSE(first_verdicts(standing_of(plan, measurements, Policy{})));
  add_dear_pairs(measurements, "b", 0, 1, 1);
  const auto first = first_verdicts(standing_of(plan, measurements, Policy{}));
  ASSERT_TRUE(first);
  EXPECT_EQ(first->fewest, 7);  // m = 4
  EXPECT_EQ(first->most, 13);
  EXPECT_NEAR(first->shortest, 6 * 2.08 + 12 * 0.7, 0.01);
  EXPECT_NEAR(first->longest, 12 * 2.08 + 12 * 0.7, 0.01);
}

TEST(Next, MaximumEndsTheDemand) {
  Policy policy;
  policy.max_pairs = 14;
  Measurements measurements;
  add_wild_pairs(measurements, "a", 0, 12);
  EXPECT_EQ(demanded(plan_of({"a"}), measurements, policy), "a 2");
  add_wild_pairs(measurements, "a", 12, 14);
  EXPECT_EQ(demanded(plan_of({"a"}), measurements, policy), "");
}

TEST(Next, MeasuresHeadAloneWhereThereIsNoBase) {
  Plan plan = plan_of({"a", "b", "c"});
  plan.workloads[1].base_missing = "did not build";
  plan.workloads[2].head_failed = "no such command";
  EXPECT_EQ(Policy{}.new_invocations, 3);
  EXPECT_EQ(demanded(plan, {}), "a 1; b alone 3");
}

TEST(Next, LeavesTheOtherSideAloneAfterTwoFailures) {
  const auto after_failures_of = [](Side side) {
    Measurements measurements;
    measurements.invocations = {failed_invocation("a", side, 0, 1),
                                failed_invocation("a", side, 0, 2)};
    return demanded(plan_of({"a"}), measurements);
  };
  EXPECT_EQ(after_failures_of(Side::head), "");
  EXPECT_EQ(after_failures_of(Side::base), "a alone 3");
}

TEST(Next, RootCommitMeasuresHeadAloneAndEnds) {
  const Plan plan = plan_of({"a"}, false);
  Measurements measurements;
  for (int left = Policy{}.new_invocations; left > 0; --left) {
    EXPECT_EQ(demanded(plan, measurements), "a alone " + std::to_string(left));
    measurements.invocations.push_back(invocation_of("a", Side::head, left, {1}));
    measurements.invocations.back().paired = false;
  }
  EXPECT_EQ(demanded(plan, measurements), "");
}

TEST(Next, NothingJudgedNeedsOnePairOnly) {
  Policy policy;
  policy.metrics = {"of_head_only"};
  Measurements measurements;
  EXPECT_TRUE(next(plan_of({"a"}), measurements, policy));
  add_pair(measurements, "a", 0, 1, 1);
  measurements.invocations.back().blocks[0].metrics = {
      {Metric{"of_head_only", "s", Better::lower}, 1}};
  EXPECT_FALSE(next(plan_of({"a"}), measurements, policy));
}

TEST(Next, MisspeltMetricIsRefusedOnceEveryFirstPairIsThere) {
  const Plan plan = plan_of({"a", "b"});
  Policy policy;
  policy.metrics = {"peak_rss", "step_tmie"};
  Measurements measurements;
  EXPECT_TRUE(next(plan, measurements, policy));
  add_pair(measurements, "a", 0, 1, 1);
  EXPECT_TRUE(next(plan, measurements, policy)) << "b may have it";
  add_pair(measurements, "b", 0, 1, 1);
  const auto error = thrown_by<UsageError>([&] { next(plan, measurements, policy); });
  EXPECT_EQ(error.what, "no workload measures this metric");
  EXPECT_EQ(error.subject, "--metric step_tmie");
  EXPECT_EQ(error.hint, "did you mean \"step_time\"?");
  policy.metrics = {"latency"};
  const auto other = thrown_by<UsageError>([&] { next(plan, measurements, policy); });
  EXPECT_EQ(other.hint, "known: peak_rss, step_time");
  measurements.interrupted = true;
  EXPECT_FALSE(next(plan, measurements, policy));
}

TEST(Next, MisspeltMetricIsRefusedWithoutABaseToo) {
  const Plan plan = plan_of({"a"}, false);
  Policy policy;
  policy.metrics = {"step_tmie"};
  Measurements measurements;
  EXPECT_TRUE(next(plan, measurements, policy));
  measurements.invocations.push_back(failed_invocation("a", Side::head, 0));
  measurements.invocations.back().paired = false;
  EXPECT_TRUE(next(plan, measurements, policy)) << "nothing has been measured yet";
  measurements.invocations.push_back(invocation_of("a", Side::head, 1, {1}));
  measurements.invocations.back().paired = false;
  EXPECT_THROW(next(plan, measurements, policy), UsageError);
}

TEST(Next, RefusesNoMetricWhereNothingWasMeasured) {
  const Plan plan = plan_of({"a"});
  Policy policy;
  policy.metrics = {"step_tmie"};
  Measurements measurements;
  measurements.invocations = {failed_invocation("a", Side::head, 0, 1),
                              failed_invocation("a", Side::head, 0, 2)};
  EXPECT_FALSE(next(plan, measurements, policy));
}

TEST(Next, EmptyPlanWantsNothing) {
  EXPECT_FALSE(next(plan_of({}), {}, Policy{}));
}

TEST(Next, MetricThatVanishesIsNotWaitedForBeyondTheLastLook) {
  const Plan plan = plan_of({"a"});
  const int last = look_schedule(Policy{}, 3).back();
  Measurements measurements;
  add_pairs(measurements, "a", last, 1.0);
  for (int i = 0; i < 2; ++i) {
    measurements.invocations[static_cast<std::size_t>(i)].blocks[0].metrics = {
        {Metric{"x", "s", Better::lower}, 1, true}};
  }
  EXPECT_FALSE(next(plan, measurements, Policy{}));
}

// A collector with a mind of its own: fails, retries or forgets to, leaves out sides, metrics and
// blocks, and sometimes ends the run.
class HostileCollector {
 public:
  HostileCollector(std::uint64_t seed, const Plan& plan) : engine_(seed), plan_(plan) {
    failing_ = chance() * chance() * 0.6;
    forgetting_ = chance() < 0.3 ? chance() * 0.5 : 0;
    noise_ = chance() * 0.3;
    ending_ = chance() < 0.3 ? 0.01 : 0;
  }

  void collect(const Demand& demand, Measurements& measurements) {
    for (const WorkloadDemand& wanted : demand.workloads) {
      const std::string& name = plan_.workloads[wanted.workload].workload.name;
      for (int i = 0; i < wanted.count; ++i) {
        const int pair = pairs_[name]++;
        if (!wanted.paired) {
          measurements.invocations.push_back(one(name, Side::head, pair, 1));
          measurements.invocations.back().paired = false;
          continue;
        }
        if (!add_attempt(measurements, name, pair, 1) && chance() >= forgetting_) {
          add_attempt(measurements, name, pair, 2);
        }
        measurements.budget_spent |= chance() < ending_;
        if (measurements.budget_spent) {
          return;
        }
      }
    }
  }

 private:
  double chance() { return std::uniform_real_distribution<double>()(engine_); }

  Invocation one(const std::string& name, Side side, int pair, int attempt) {
    if (chance() < failing_) {
      return failed_invocation(name, side, pair, attempt);
    }
    Invocation invocation =
        invocation_of(name, side, pair, {0.01 * std::exp(noise_ * chance()), 0.01});
    invocation.attempt = attempt;
    if (chance() < 0.1) {
      invocation.blocks.push_back(scripted::block_of({chance()}, "extra"));
    }
    if (chance() < 0.1) {
      invocation.process.peak_rss.reset();
    }
    if (chance() < 0.7) {
      invocation.blocks[0].metrics.push_back(
          {Metric{"x", "s", Better::lower}, chance() - 0.05, chance() < 0.5});
    }
    return invocation;
  }

  bool add_attempt(Measurements& measurements, const std::string& name, int pair, int attempt) {
    bool good = true;
    for (const Side side : {Side::base, Side::head}) {
      if (chance() < forgetting_ * 0.1) {
        good = false;
        continue;
      }
      measurements.invocations.push_back(one(name, side, pair, attempt));
      good &= measurements.invocations.back().ok();
    }
    return good;
  }

  std::mt19937_64 engine_;
  const Plan& plan_;
  std::map<std::string, int> pairs_;
  double failing_ = 0, forgetting_ = 0, noise_ = 0, ending_ = 0;
};

TEST(Next, AlwaysEndsWithinBounds) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Plan plan = plan_of({"a", "b", "c"}, seed % 7 != 0);
    if (seed % 5 == 0) {
      plan.workloads[2].base_missing = "did not build";
    }
    const Policy policy;
    HostileCollector collector(seed, plan);
    Measurements measurements;
    int rounds = 0;
    int fruitless = 0;
    int judged = 0;
    while (const auto demand = next(plan, measurements, policy)) {
      ASSERT_LT(++rounds, 60) << "seed " << seed;
      for (const WorkloadDemand& wanted : demand->workloads) {
        ASSERT_GT(wanted.count, 0);
        ASSERT_GE(wanted.steps, policy.min_steps);
        ASSERT_LE(wanted.steps, policy.max_steps);
      }
      const std::size_t before = measurements.invocations.size();
      collector.collect(*demand, measurements);
      // It may leave out both sides of a pair, but not for ever.
      fruitless = measurements.invocations.size() > before ? 0 : fruitless + 1;
      ASSERT_TRUE(fruitless < 3 || measurements.budget_spent) << "seed " << seed;
    }
    judged = 12;  // three workloads with at most two times two series: more than there can be
    const auto most = static_cast<std::size_t>(look_schedule(policy, judged).back());
    // Both sides, a retry of each, some pairs lost, and head alone.
    ASSERT_LE(measurements.invocations.size(), 3 * (4 * (most + 4) + 8)) << "seed " << seed;
  }
}

// What was promised when the run started must not be renegotiated while it runs.
TEST(Next, ErrorRateIsSharedOnceAndForAll) {
  for (std::uint64_t seed = 200; seed <= 260; ++seed) {
    const Plan plan = plan_of({"a", "b"});
    HostileCollector collector(seed, plan);
    Measurements measurements;
    std::vector<int> looks;
    while (const auto demand = next(plan, measurements, Policy{})) {
      const Standing standing = standing_of(plan, measurements, Policy{});
      if (!looks.empty()) {
        ASSERT_EQ(standing.workloads.front().looks.pairs, looks) << "seed " << seed;
      }
      looks = standing.workloads.front().looks.pairs;
      collector.collect(*demand, measurements);
    }
  }
}

}  // namespace
}  // namespace perf
