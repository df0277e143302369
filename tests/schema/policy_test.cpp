#include "schema/policy.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

Policy policy_with(std::vector<ThresholdRule> rules) {
  Policy policy;
  policy.threshold = 0.10;
  policy.thresholds = std::move(rules);
  return policy;
}

TEST(Threshold, DefaultsToThePolicy) {
  EXPECT_EQ(threshold_for(policy_with({}), "parser", "step_time"), 0.10);
}

TEST(Threshold, TakesTheMostSpecificRule) {
  const ThresholdRule both{"parser", "peak_rss", 0.01};
  const ThresholdRule workload{"parser", "", 0.02};
  const ThresholdRule metric{"", "peak_rss", 0.03};
  const std::vector<std::vector<ThresholdRule>> orders{
      {both, workload, metric}, {metric, workload, both}, {workload, both, metric}};
  for (const std::vector<ThresholdRule>& rules : orders) {
    const Policy policy = policy_with(rules);
    EXPECT_EQ(threshold_for(policy, "parser", "peak_rss"), 0.01);
    EXPECT_EQ(threshold_for(policy, "parser", "step_time"), 0.02);
    EXPECT_EQ(threshold_for(policy, "lexer", "peak_rss"), 0.03);
    EXPECT_EQ(threshold_for(policy, "lexer", "step_time"), 0.10);
  }
}

TEST(Threshold, TakesTheLastMatchingGlob) {
  const Policy policy = policy_with({{"micro/*", "", 0.03},
                                     {"micro/matmul*", "", 0.02},
                                     {"*/128", "", 0.05},
                                     {"other", "", 0.9}});
  EXPECT_EQ(threshold_for(policy, "micro/add", "step_time"), 0.03);
  EXPECT_EQ(threshold_for(policy, "micro/matmul", "step_time"), 0.02);
  EXPECT_EQ(threshold_for(policy, "micro/matmul/128", "step_time"), 0.05);
}

TEST(Threshold, MatchesTheWholeNameOfAMetric) {
  const Policy policy = policy_with({{"", "peak", 0.03}});
  EXPECT_EQ(threshold_for(policy, "parser", "peak_rss"), 0.10);
}

TEST(Threshold, PrefersTheCommandLine) {
  Policy policy = policy_with({{"parser", "peak_rss", 0.01}});
  policy.threshold = 0.2;
  policy.threshold_override = true;
  EXPECT_EQ(threshold_for(policy, "parser", "peak_rss"), 0.2);
}

}  // namespace
}  // namespace perf
