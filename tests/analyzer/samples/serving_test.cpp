#include "analyzer/samples/serving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pair;
using scripted::plan_of;

// step_time alone is judged: m = 2 or 3, n_1 = 12 and the second look is at 18.
class Serving : public ::testing::Test {
 protected:
  Serving() { policy.metrics = {"step_time"}; }

  // Pairs of so many units of time.
  void measure(const std::string& workload, int pairs, double units, double noise = 0) {
    for (int pair = 0; pair < pairs; ++pair) {
      add_pair(measurements, workload, pair, 1, pair % 2 == 0 ? 1 + noise : 1 / (1 + noise));
    }
    for (Invocation& one : measurements.invocations) {
      if (one.workload == workload) {
        one.process.wall = units * unit / 2;
        one.start_order = 2 * one.pair + ((one.side == Side::head) == (one.pair % 2 == 0) ? 1 : 0);
      }
    }
  }

  // Who stays, where everybody asked.
  std::string served(double budget_left) {
    const Standing standing = standing_of(plan, measurements, policy);
    std::vector<WorkloadDemand> demands;
    for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
      WorkloadDemand one;
      one.workload = i;
      one.count = 1;
      demands.push_back(one);
    }
    serve_the_nearest(standing, budget_left * unit, demands);
    std::string names;
    for (const WorkloadDemand& one : demands) {
      names += plan.workloads[one.workload].workload.name + " ";
    }
    return names;
  }

  double unit = 0.125;  // s: none of the pairs is dear
  Plan plan = plan_of({"a", "b", "c"});
  Measurements measurements;
  Policy policy;
};

TEST_F(Serving, ServesAllWhereTheBudgetIsEnough) {
  measure("a", 1, 1);
  measure("b", 1, 5);
  measure("c", 1, 2);
  EXPECT_EQ(served(11 * 8), "a b c ");
}

TEST_F(Serving, ServesTheCheapestFirstLooksOtherwise) {
  measure("a", 1, 1);
  measure("b", 1, 5);
  measure("c", 1, 2);
  EXPECT_EQ(served(11 * 8 - 1), "a c ");
  EXPECT_EQ(served(11 * 3 - 1), "a ");
  EXPECT_EQ(served(1), "a ") << "what is left is for the nearest";
}

TEST_F(Serving, PrefersWorkloadsWithPairs) {
  measure("a", 1, 1);
  measure("b", 11, 5);
  measure("c", 1, 2);
  EXPECT_EQ(served(16), "a b ");  // 11 and 5
  EXPECT_EQ(served(15), "b ");
}

TEST_F(Serving, PrefersWorkloadsThatWillBeDecided) {
  measure("a", 13, 1, 3.0);   // no look will decide it
  measure("b", 13, 4, 0.11);  // a look or two more
  measure("c", 13, 1);        // decided, so that it is not asked about
  const Standing standing = standing_of(plan, measurements, policy);
  ASSERT_TRUE(standing.workloads[0].open());
  ASSERT_TRUE(standing.workloads[1].open());
  ASSERT_FALSE(standing.workloads[2].open());
  std::vector<WorkloadDemand> demands(2);
  demands[1].workload = 1;
  serve_the_nearest(standing, 24 * unit, demands);
  ASSERT_EQ(demands.size(), 1u);
  EXPECT_EQ(demands[0].workload, 1u);
}

TEST_F(Serving, ControlArmsGoWithTheirWorkloads) {
  plan = plan_of({"a", "b", "b/control"});
  plan.workloads[2].control_of = "b";
  measure("a", 1, 3);
  measure("b", 1, 2);
  measure("b/control", 1, 2);
  EXPECT_EQ(served(11 * 7), "a b b/control ");
  EXPECT_EQ(served(11 * 4), "a ") << "3 a pair, against 2 and 2 of its control arm";
}

// m = 3: dear pairs decide at 7, and not at the fourth, their first look.
TEST_F(Serving, BringsDearWorkloadsToTheirVerdicts) {
  unit = 4;
  measure("a", 1, 1);
  measure("b", 1, 5);
  measure("c", 1, 2);
  EXPECT_EQ(served(6 * 8), "a b c ");
  EXPECT_EQ(served(6 * 8 - 1), "a c ");
  measurements = {};
  measure("a", 7, 1, 0.09);  // not before the first ordinary look
  measure("b", 7, 5, 0.04);  // at half the margin, three pairs later
  measure("c", 7, 2);        // decided
  const Standing standing = standing_of(plan, measurements, policy);
  const auto lacking = [&standing](std::size_t workload) {
    const auto& series = standing.workloads[workload].series;
    return pairs_to_verdict(*std::ranges::find_if(series, &MetricStanding::open));
  };
  EXPECT_EQ(lacking(0), 12 - 7);
  EXPECT_EQ(lacking(1), 3);
  EXPECT_FALSE(standing.workloads[2].open());
}

TEST_F(Serving, ServesAllUntilEveryFirstPairIsThere) {
  measure("a", 1, 1);
  EXPECT_EQ(served(0.1), "a b c ");
}

TEST_F(Serving, ServesHeadAloneAlways) {
  plan.workloads[1].base_missing = "did not build";
  measure("a", 1, 5);
  measure("c", 1, 5);
  const Standing standing = standing_of(plan, measurements, policy);
  std::vector<WorkloadDemand> demands(3);
  for (std::size_t i = 0; i < 3; ++i) {
    demands[i].workload = i;
    demands[i].paired = i != 1;
  }
  serve_the_nearest(standing, 60 * unit, demands);
  ASSERT_EQ(demands.size(), 2u);
  EXPECT_EQ(demands[0].workload, 0u);
  EXPECT_EQ(demands[1].workload, 1u);
}

}  // namespace
}  // namespace perf
