#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analyzer/samples/serving.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

struct Noise {
  double between = 0;  ///< sd of ln between invocations of a pair
  double within = 0;   ///< sd of ln of a step
};

// Invocations of `steps` steps of `step` seconds after `start` seconds of start-up.
Measurements pilot(int pairs, double start, double step, int steps, Noise noise) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  Measurements measurements;
  for (int pair = 0; pair < pairs; ++pair) {
    for (const Side side : {Side::base, Side::head}) {
      const double level = step * std::exp(noise.between * normal(engine));
      std::vector<double> seconds;
      double wall = start;
      for (int i = 0; i < steps; ++i) {
        seconds.push_back(level * std::exp(noise.within * normal(engine)));
        wall += seconds.back();
      }
      measurements.invocations.push_back(scripted::invocation_of("w", side, pair, seconds));
      measurements.invocations.back().process.wall = wall;
    }
  }
  return measurements;
}

int steps_after(const Measurements& measurements, const Policy& policy = {},
                const std::string& format = "steps") {
  Plan plan = scripted::plan_of({"w"});
  plan.workloads.front().workload.format = format;
  const Standing standing = standing_of(plan, measurements, policy);
  return steps_per_invocation(standing.workloads.front(), policy);
}

TEST(StepsPerInvocation, IsThePilotsDuringThePilot) {
  EXPECT_EQ(steps_after({}), 8);
  EXPECT_EQ(steps_after(pilot(3, 0.1, 0.01, 8, {0.01, 0.1})), 8);
}

TEST(StepsPerInvocation, FollowsTheFormula) {
  // c_start / c_step = 25, s_within = 4 %: with s_pair = 1.4 * 4 % = 5.7 %,
  // S = sqrt(25 * 2 (1.25 * 0.04)^2 / 0.057^2) = 6.2. Four pairs give the variance within a factor.
  const int steps = steps_after(pilot(4, 0.25, 0.01, 8, {0.04, 0.04}));
  EXPECT_GE(steps, 4);
  EXPECT_LE(steps, 12);
}

TEST(StepsPerInvocation, TakesMoreWhereStepsAreTheNoise) {
  EXPECT_GT(steps_after(pilot(4, 0.25, 0.005, 8, {0.0, 0.10})), 8);
}

TEST(StepsPerInvocation, TakesFewWhereInvocationsAreTheNoise) {
  EXPECT_EQ(steps_after(pilot(4, 0.01, 0.01, 8, {0.10, 0.001})), Policy{}.min_steps);
}

TEST(StepsPerInvocation, StaysWithinTheCap) {
  const Measurements noisy = pilot(4, 0.04, 0.005, 8, {0.0, 0.10});
  Policy policy;
  policy.invocation_cap = 0.09;  // leaves 0.05 s for steps of 5 ms
  EXPECT_LE(steps_after(noisy, policy), 10);
  policy.invocation_cap = 0.01;
  EXPECT_EQ(steps_after(noisy, policy), policy.min_steps);
}

// A program that imports PyTorch in 2.9 s for steps of 40 ms: 4 of them are interrupted together.
TEST(StepsPerInvocation, TakesStepsForAQuarterOfADearStart) {
  EXPECT_EQ(steps_after(pilot(4, 2.9, 0.04, 8, {0.05, 0})), 18);
}

TEST(StepsPerInvocation, NeverExceedsTheMost) {
  Policy policy;
  policy.invocation_cap = 1e9;
  EXPECT_EQ(steps_after(pilot(4, 100, 0.001, 8, {0.0, 0.3}), policy), policy.max_steps);
}

TEST(StepsPerInvocation, IsNotMovedByLaterPairs) {
  const Measurements longer = pilot(20, 0.25, 0.005, 8, {0.01, 0.05});
  Measurements shorter = longer;
  shorter.invocations.resize(8);
  EXPECT_EQ(steps_after(longer), steps_after(shorter));
}

TEST(StepsPerInvocation, SurvivesStepsThatTakeNoTime) {
  EXPECT_EQ(steps_after(pilot(4, 0, 0, 8, {0, 0})), Policy{}.initial_steps);
  const int constant = steps_after(pilot(4, 0.1, 0.01, 8, {0, 0}));
  EXPECT_EQ(constant, Policy{}.min_steps);
}

// A repetition of Google Benchmark takes half a second, whatever the time that it states; its
// values say nothing of what another would cost.
TEST(StepsPerInvocation, IsNotChosenForFormatsThatAreNotAsked) {
  const Policy policy;
  const Measurements few = pilot(12, 0.5, 1e-6, 1, {0.01, 0.0});
  EXPECT_EQ(steps_after(few, policy, "google-benchmark"), policy.initial_steps);
  const Measurements noisy = pilot(12, 0.5, 1e-6, 5, {0.0, 0.3});
  EXPECT_EQ(steps_after(noisy, policy), policy.max_steps) << "the formula would want many";
  EXPECT_EQ(steps_after(noisy, policy, "google-benchmark"), policy.initial_steps);
}

TEST(StepsPerInvocation, IsOneForAWholeProcess) {
  EXPECT_EQ(steps_after({}, {}, "process"), 1);
  EXPECT_EQ(steps_after(pilot(12, 0, 0.5, 1, {0.05, 0.0}), {}, "process"), 1);
}

}  // namespace
}  // namespace perf
