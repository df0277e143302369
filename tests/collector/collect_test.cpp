// The collector's flow, with a scripted runner and a scripted clock.
#include "collector/collect.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "schema/error.h"

namespace perf {
namespace {

/// A world in which every invocation takes as long as it is told, and fails when it is told.
class Script : public Runner {
 public:
  Invocation run(const Workload& workload, const std::filesystem::path& directory,
                 Invocation invocation) override {
    directories.push_back(directory.string());
    params.push_back(workload.params);
    const double seconds = duration ? duration(invocation) : 1.0;
    now += seconds;
    invocation.process.wall = seconds;
    EXPECT_EQ(workload.name, invocation.workload);
    if (failing && failing(invocation)) {
      invocation.failure = "exit status 1";
    }
    if (after) {
      after(invocation);
    }
    return invocation;
  }

  double now = 1000;
  std::function<double(const Invocation&)> duration;
  std::function<bool(const Invocation&)> failing;
  std::function<void(Invocation&)> after;
  std::vector<std::string> directories;
  std::vector<Params> params;
};

class Collect : public ::testing::Test {
 protected:
  Collect() {
    plan.seed = 7;
    plan.base = Revision{};
    plan.base->oid = "base-oid";
    plan.head.oid = "head-oid";
    for (const char* name : {"alpha", "beta", "gamma"}) {
      PlannedWorkload planned;
      planned.workload.name = name;
      plan.workloads.push_back(planned);
    }
    checkouts.base.directory = "/base";
    checkouts.head.directory = "/head";
    hooks.store = [this](const Invocation& one) { stored.push_back(one); };
    hooks.clock = [this] { return script.now; };
    hooks.interrupted = [this] { return interrupted; };
    hooks.progress = [this](const Progress& at) { progress.push_back(at); };
  }

  static WorkloadDemand pairs(std::size_t workload, int count) {
    WorkloadDemand demand;
    demand.workload = workload;
    demand.count = count;
    demand.steps = 8;
    demand.warmup = 2;
    return demand;
  }
  static WorkloadDemand alone(std::size_t workload, int count) {
    WorkloadDemand demand = pairs(workload, count);
    demand.paired = false;
    return demand;
  }
  void collect_all(std::vector<WorkloadDemand> workloads, double budget = 1e9) {
    Demand demand;
    demand.workloads = std::move(workloads);
    demand.budget_left = budget;
    collect(demand, plan, checkouts, script, hooks, measurements);
  }
  /// "alpha0 alpha0 beta0 ...": who was run, in order.
  std::string order() const {
    std::string text;
    for (const Invocation& one : measurements.invocations) {
      text += (text.empty() ? "" : " ") + one.workload + std::to_string(one.pair);
    }
    return text;
  }

  Plan plan;
  Checkouts checkouts;
  Script script;
  CollectHooks hooks;
  Measurements measurements;
  std::vector<Invocation> stored;
  std::vector<Progress> progress;
  bool interrupted = false;
};

TEST_F(Collect, InterleavesTheWorkloadsRoundByRound) {
  collect_all({pairs(0, 2), pairs(2, 3), pairs(1, 1)});
  EXPECT_EQ(order(),
            "alpha0 alpha0 gamma0 gamma0 beta0 beta0 alpha1 alpha1 gamma1 gamma1 gamma2 gamma2");
  EXPECT_FALSE(measurements.budget_spent);
  EXPECT_FALSE(measurements.interrupted);
}

TEST_F(Collect, EachSideRunsItsOwnParameters) {
  plan.workloads[0].workload.params = {{"backend", std::string("openblas")}};
  plan.workloads[0].base_params = Params{{"backend", std::string("eigen")}};
  collect_all({pairs(0, 1)});
  ASSERT_EQ(script.params.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const bool is_base = measurements.invocations[i].side == Side::base;
    EXPECT_EQ(to_text(script.params[i].at("backend")), is_base ? "eigen" : "openblas");
  }
}

TEST_F(Collect, BothSidesOfAControlArmRunBase) {
  plan.workloads[1].control_of = "alpha";
  plan.workloads[1].workload.params = {{"threads", std::int64_t{2}}};
  plan.workloads[1].base_params = Params{{"threads", std::int64_t{1}}};
  collect_all({pairs(1, 2)});
  ASSERT_EQ(measurements.invocations.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(measurements.invocations[i].oid, "base-oid");
    EXPECT_EQ(script.directories[i], "/base");
    EXPECT_EQ(to_text(script.params[i].at("threads")), "1");
  }
  EXPECT_NE(measurements.invocations[0].side, measurements.invocations[1].side);
}

TEST_F(Collect, CountedAndRelinkedInvocationsSaySo) {
  WorkloadDemand counted = pairs(0, 1);
  counted.counted = true;
  Demand demand;
  demand.workloads = {counted, pairs(1, 1)};
  demand.budget_left = 100;
  demand.layout_seed = 9;
  collect(demand, plan, checkouts, script, hooks, measurements);
  for (const Invocation& one : measurements.invocations) {
    EXPECT_EQ(one.counted, one.workload == "alpha");
    EXPECT_EQ(one.layout_seed, 9u);
    EXPECT_FALSE(one.is_timed());
  }
}

TEST_F(Collect, ACountedPairSaysNothingOfWhatATimedOneCosts) {
  script.duration = [](const Invocation& invocation) { return invocation.counted ? 50.0 : 1.0; };
  WorkloadDemand counted = pairs(0, 1);
  counted.counted = true;
  collect_all({pairs(0, 1), counted});
  collect_all({pairs(0, 1)}, 10);
  EXPECT_FALSE(measurements.budget_spent) << "a timed pair takes 2 s, whatever a counted one took";
}

TEST_F(Collect, FillsWhatTheInvocationIsToBe) {
  collect_all({pairs(0, 1)});
  ASSERT_EQ(measurements.invocations.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const Invocation& one = measurements.invocations[i];
    const bool base = one.side == Side::base;
    EXPECT_EQ(one.oid, base ? "base-oid" : "head-oid");
    EXPECT_EQ(script.directories[i], base ? "/base" : "/head");
    EXPECT_EQ(one.steps_wanted, 8);
    EXPECT_EQ(one.warmup_wanted, 2);
    EXPECT_EQ(one.start_order, static_cast<std::int64_t>(i));
    EXPECT_TRUE(one.paired);
    EXPECT_EQ(one.attempt, 1);
  }
  EXPECT_NE(measurements.invocations[0].side, measurements.invocations[1].side);
  EXPECT_EQ(measurements.invocations[0].seed, measurements.invocations[1].seed);
  EXPECT_LT(measurements.invocations[0].seed, 1ull << 32);
}

TEST_F(Collect, BothOrdersOccurEquallyOften) {
  constexpr int kPairs = 2000;
  collect_all({pairs(0, kPairs), pairs(1, kPairs)});
  int base_first = 0, agree = 0;
  for (std::size_t i = 0; i < measurements.invocations.size(); i += 4) {
    const bool alpha = measurements.invocations[i].side == Side::base;
    const bool beta = measurements.invocations[i + 2].side == Side::base;
    base_first += alpha ? 1 : 0;
    agree += alpha == beta ? 1 : 0;
  }
  // Five standard deviations of a fair coin; the seed is fixed.
  const double slack = 5 * std::sqrt(kPairs * 0.25);
  EXPECT_NEAR(base_first, kPairs / 2.0, slack);
  EXPECT_NEAR(agree, kPairs / 2.0, slack);  // the workloads' orders are independent
}

TEST_F(Collect, TheSameSeedGivesTheSameRun) {
  collect_all({pairs(0, 50), pairs(1, 50)});
  const Measurements first = std::move(measurements);
  measurements = {};
  collect_all({pairs(0, 50), pairs(1, 50)});
  plan.seed = 8;
  const Measurements second = std::move(measurements);
  measurements = {};
  collect_all({pairs(0, 50), pairs(1, 50)});
  int same_side = 0;
  for (std::size_t i = 0; i < first.invocations.size(); ++i) {
    const Invocation& a = first.invocations[i];
    const Invocation& b = second.invocations[i];
    ASSERT_TRUE(a.side == b.side && a.seed == b.seed && a.padding == b.padding);
    EXPECT_NE(a.seed, measurements.invocations[i].seed);
    same_side += a.side == measurements.invocations[i].side ? 1 : 0;
  }
  EXPECT_NE(same_side, static_cast<int>(first.invocations.size()));
}

TEST_F(Collect, SeveralDemandsGiveWhatOneWouldHave) {
  collect_all({pairs(0, 6)});
  const Measurements whole = std::move(measurements);
  measurements = {};
  collect_all({pairs(0, 2)});
  collect_all({pairs(0, 1)});
  collect_all({pairs(0, 3)});
  ASSERT_EQ(measurements.invocations.size(), whole.invocations.size());
  for (std::size_t i = 0; i < whole.invocations.size(); ++i) {
    const Invocation& a = whole.invocations[i];
    const Invocation& b = measurements.invocations[i];
    EXPECT_TRUE(a.pair == b.pair && a.side == b.side && a.seed == b.seed &&
                a.padding == b.padding && a.start_order == b.start_order);
  }
}

TEST_F(Collect, UnpairedDemandsRunHeadAlone) {
  collect_all({alone(1, 3)});
  EXPECT_EQ(order(), "beta0 beta1 beta2");
  for (const Invocation& one : measurements.invocations) {
    EXPECT_EQ(one.side, Side::head);
    EXPECT_FALSE(one.paired);
  }
  plan.base.reset();  // nor do they need a base
  collect_all({alone(1, 1)});
  EXPECT_EQ(order(), "beta0 beta1 beta2 beta3");
}

TEST_F(Collect, AFailedPairIsTriedOnceMore) {
  script.failing = [](const Invocation& one) {
    return one.side == Side::head && one.pair == 1 && one.attempt == 1;
  };
  collect_all({pairs(0, 3)});
  EXPECT_EQ(order(), "alpha0 alpha0 alpha1 alpha1 alpha1 alpha1 alpha2 alpha2");
  int second = 0;
  std::set<std::uint64_t> seeds;
  for (const Invocation& one : measurements.invocations) {
    if (one.pair == 1) {
      second += one.attempt == 2 ? 1 : 0;
      seeds.insert(one.seed);
    }
  }
  EXPECT_EQ(second, 2);
  EXPECT_EQ(seeds.size(), 1u);
  EXPECT_EQ(stored.size(), 8u);
}

TEST_F(Collect, APairBesideOthersIsTriedTwiceMore) {
  const auto attempts_where = [this](int lost) {
    const std::size_t before = measurements.invocations.size();
    script.after = [&, lost](Invocation& one) {
      if (one.side == Side::head && one.attempt <= lost) {
        one.failure = std::string(kDeviceInUse) + ": 1 python3";
      }
    };
    collect_all({pairs(0, 1)});
    return (measurements.invocations.size() - before) / 2;
  };
  EXPECT_EQ(attempts_where(0), 1u);
  EXPECT_EQ(attempts_where(2), 3u);
  EXPECT_EQ(attempts_where(9), 3u);
  script.failing = [](const Invocation& one) { return one.attempt >= 2; };  // of its own
  EXPECT_EQ(attempts_where(1), 3u);
}

TEST_F(Collect, AfterASecondFailureTheWorkloadGetsNoMore) {
  for (const Side broken : {Side::base, Side::head}) {
    measurements = {};
    script.failing = [&](const Invocation& one) {
      return one.workload == "alpha" && one.side == broken;
    };
    collect_all({pairs(0, 5), pairs(1, 2)});
    EXPECT_EQ(order(), "alpha0 alpha0 alpha0 alpha0 beta0 beta0 beta1 beta1");
    // Both sides were run both times, so that it shows which of them is broken.
    EXPECT_EQ(std::count_if(measurements.invocations.begin(), measurements.invocations.end(),
                            [&](const Invocation& one) { return one.side == broken; }),
              4);
  }
}

TEST_F(Collect, RefusesABenchmarkWithTheNameOfAWorkload) {
  plan.workloads[1].workload.name = "alpha/b";
  script.after = [](Invocation& done) {
    done.blocks.resize(done.workload == "alpha" ? 2 : 1);
    done.blocks[0].workload = "b";
  };
  collect_all({pairs(0, 1), pairs(1, 1)});
  EXPECT_EQ(measurements.invocations[0].failure,
            "its benchmark alpha/b has the name of the workload alpha/b; rename one of them");
  EXPECT_TRUE(measurements.invocations.back().ok());
  measurements = {};
  plan.workloads[1].workload.name = "alpha/c";
  collect_all({pairs(0, 1)});
  EXPECT_TRUE(measurements.invocations[0].ok());
}

TEST_F(Collect, AFailingLoneHeadIsTriedOnceMore) {
  script.failing = [](const Invocation&) { return true; };
  collect_all({alone(0, 3)});
  EXPECT_EQ(order(), "alpha0 alpha0");
  EXPECT_EQ(measurements.invocations[1].attempt, 2);
}

TEST_F(Collect, AFailedWorkloadMayBeAskedForAgain) {
  bool broken = true;
  script.failing = [&](const Invocation&) { return broken; };
  collect_all({pairs(0, 2)});
  broken = false;
  collect_all({pairs(0, 1)});
  EXPECT_EQ(order(), "alpha0 alpha0 alpha0 alpha0 alpha1 alpha1");
}

TEST_F(Collect, MeasuresByTheClock) {
  script.duration = [](const Invocation& one) { return one.side == Side::base ? 0.5 : 2.0; };
  hooks.store = [this](const Invocation&) { script.now += 100; };  // storing is not measuring
  collect_all({pairs(0, 4)});
  EXPECT_DOUBLE_EQ(measurements.measured, 4 * 2.5);
}

TEST_F(Collect, StopsBeforeThePairThatWouldOverrunTheBudget) {
  collect_all({pairs(0, 100)}, 10);  // pairs of 2 s
  EXPECT_EQ(measurements.invocations.size(), 10u);
  EXPECT_TRUE(measurements.budget_spent);
  EXPECT_DOUBLE_EQ(measurements.measured, 10);
}

TEST_F(Collect, WhatIsTooDearForTheRestLeavesItToTheOthers) {
  script.duration = [](const Invocation& one) { return one.workload == "alpha" ? 4.0 : 0.5; };
  collect_all({pairs(0, 3), pairs(1, 4)}, 21);  // two pairs of 8 s, then 3 s are left
  EXPECT_EQ(order(), "alpha0 alpha0 beta0 beta0 alpha1 alpha1 beta1 beta1 beta2 beta2 beta3 beta3");
  EXPECT_FALSE(measurements.budget_spent) << "beta has what was wanted of it";
  collect_all({pairs(0, 1), pairs(1, 9)}, 1);
  EXPECT_EQ(measurements.invocations.size(), 14u);
  EXPECT_TRUE(measurements.budget_spent);
}

TEST_F(Collect, TheOverrunIsBelowOnePair) {
  // Pairs grow, so that what is expected is always too little.
  script.duration = [](const Invocation& one) { return 0.5 * (1 + one.pair); };
  collect_all({pairs(0, 100)}, 17);
  EXPECT_TRUE(measurements.budget_spent);
  const int last = measurements.invocations.back().pair;
  const double last_pair = 1.0 * (1 + last);
  EXPECT_LT(measurements.measured, 17 + last_pair);
  EXPECT_EQ(measurements.invocations.size() % 2, 0u);
}

TEST_F(Collect, TheBudgetKnowsThePairsOfEarlierDemands) {
  collect_all({pairs(0, 1)});
  collect_all({pairs(0, 1)}, 1.5);  // a pair takes 2 s
  EXPECT_EQ(measurements.invocations.size(), 2u);
  EXPECT_TRUE(measurements.budget_spent);
}

TEST_F(Collect, WithoutABudgetNothingStarts) {
  collect_all({pairs(0, 1)}, 0);
  EXPECT_TRUE(measurements.invocations.empty());
  EXPECT_TRUE(measurements.budget_spent);
}

TEST_F(Collect, ASecondAttemptIsPaidFromTheBudgetToo) {
  script.failing = [](const Invocation&) { return true; };
  script.duration = [](const Invocation&) { return 300.0; };  // hangs until its timeout
  collect_all({pairs(0, 3)}, 700);
  EXPECT_EQ(measurements.invocations.size(), 2u);
  EXPECT_TRUE(measurements.budget_spent);
}

TEST_F(Collect, AnInterruptionStopsBeforeTheNextInvocation) {
  script.after = [&](const Invocation& one) { interrupted = one.pair == 1; };
  collect_all({pairs(0, 5)});
  EXPECT_EQ(order(), "alpha0 alpha0 alpha1");  // it had ended well, so it counts
  EXPECT_TRUE(measurements.interrupted);
  EXPECT_EQ(stored.size(), 3u);
}

TEST_F(Collect, AnInvocationInterruptedInTheMiddleIsNotStored) {
  script.failing = [](const Invocation& one) { return one.pair == 1; };
  script.after = [&](const Invocation& one) { interrupted = one.pair == 1; };
  collect_all({pairs(0, 5)});
  EXPECT_EQ(order(), "alpha0 alpha0");
  EXPECT_EQ(stored.size(), 2u);
  EXPECT_TRUE(measurements.interrupted);
  EXPECT_DOUBLE_EQ(measurements.measured, 3);
}

TEST_F(Collect, ContinuesAfterAnInterruption) {
  script.after = [&](const Invocation& one) { interrupted = one.pair == 1; };
  collect_all({pairs(0, 5)});
  interrupted = false;
  script.after = {};
  collect_all({pairs(0, 1)});
  EXPECT_EQ(order(), "alpha0 alpha0 alpha1 alpha2 alpha2");
  EXPECT_EQ(measurements.invocations.back().start_order, 4);
}

TEST_F(Collect, WhatWasMeasuredBeforeAnErrorIsKept) {
  script.after = [](const Invocation& one) {
    if (one.pair == 1) {
      throw Error("no more processes", "this machine");
    }
  };
  EXPECT_THROW(collect_all({pairs(0, 3)}), Error);
  EXPECT_EQ(measurements.invocations.size(), 2u);
  EXPECT_EQ(stored.size(), 2u);
}

TEST_F(Collect, ShowsProgress) {
  script.failing = [](const Invocation& one) {
    return one.workload == "alpha" && one.side == Side::head;
  };
  collect_all({pairs(0, 3), pairs(1, 2)});
  ASSERT_EQ(progress.size(), 8u);
  for (std::size_t i = 0; i < progress.size(); ++i) {
    EXPECT_EQ(progress[i].done, static_cast<int>(i));
    EXPECT_EQ(progress[i].workload, measurements.invocations[i].workload);
    EXPECT_EQ(progress[i].side, measurements.invocations[i].side);
    EXPECT_DOUBLE_EQ(progress[i].measured, static_cast<double>(i));
  }
  EXPECT_EQ(progress[0].wanted, 10);
  EXPECT_EQ(progress[2].wanted, 12);  // the second attempt
  EXPECT_EQ(progress[4].wanted, 8);   // alpha is given up
}

TEST_F(Collect, AnEmptyDemandDoesNothing) {
  collect_all({});
  collect_all({pairs(0, 0), pairs(1, -3)});
  EXPECT_TRUE(measurements.invocations.empty());
  EXPECT_FALSE(measurements.budget_spent);
}

TEST_F(Collect, NeedsOnlyTheClock) {
  hooks.store = {};
  hooks.interrupted = {};
  hooks.progress = {};
  collect_all({pairs(0, 1)});
  EXPECT_EQ(measurements.invocations.size(), 2u);
}

TEST_F(Collect, CountsWithNothingLeftToChance) {
  collect_all({pairs(0, 2)});
  WorkloadDemand counted = pairs(0, 2);
  counted.counted = true;
  collect_all({counted});
  ASSERT_EQ(measurements.invocations.size(), 8u);
  for (std::size_t i = 4; i < 8; ++i) {
    const Invocation& one = measurements.invocations[i];
    EXPECT_TRUE(one.counted);
    EXPECT_EQ(one.seed, measurements.invocations[4].seed);
    EXPECT_EQ(one.padding, 0);
    EXPECT_EQ(one.pair, static_cast<int>(i / 2));
  }
}

TEST_F(Collect, CountingCostsNothingOfTheBudget) {
  WorkloadDemand counted = pairs(0, 2);
  counted.counted = true;
  script.duration = [](const Invocation& invocation) { return invocation.counted ? 50.0 : 1.0; };
  collect_all({pairs(0, 1), counted}, 3);
  EXPECT_EQ(measurements.invocations.size(), 6u);
  EXPECT_FALSE(measurements.budget_spent);
  EXPECT_DOUBLE_EQ(measurements.measured, 2);
  collect_all({pairs(0, 5)}, 2);  // a pair is expected to take 2 s, not 100
  EXPECT_EQ(measurements.invocations.size(), 8u);
}

}  // namespace
}  // namespace perf
