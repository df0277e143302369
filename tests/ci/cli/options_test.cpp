#include "ci/cli/options/options.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

TEST(Options, KeepThePolicyByDefault) {
  Policy policy;
  policy.threshold = 0.03;
  policy.budget = 42;
  const Policy applied = apply(policy, Options{});
  EXPECT_DOUBLE_EQ(applied.threshold, 0.03);
  EXPECT_FALSE(applied.threshold_override);
  EXPECT_DOUBLE_EQ(applied.budget, 42);
  EXPECT_EQ(applied.initial_steps, policy.initial_steps);
}

TEST(Options, OverrideEveryThreshold) {
  Policy policy;
  policy.thresholds.push_back({"parser", "step_time", 0.5});
  Options options;
  options.threshold = 0.02;
  EXPECT_DOUBLE_EQ(threshold_for(apply(policy, options), "parser", "step_time"), 0.02);
}

TEST(Options, UseFewStepsForTheFullSize) {
  Options options;
  options.size = "full";
  const Policy applied = apply(Policy{}, options);
  EXPECT_EQ(applied.initial_steps, 3);
  EXPECT_EQ(applied.max_steps, 3);
  EXPECT_EQ(applied.warmup_steps, 1);
}

}  // namespace
}  // namespace perf
