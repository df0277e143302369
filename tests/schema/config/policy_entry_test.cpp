#include <gtest/gtest.h>

#include "tests/schema/config/config_text.h"

namespace perf {
namespace {

TEST(PolicyEntry, TakesPercentagesAndDurationsAsText) {
  EXPECT_REFUSED(config_with(R"("policy": {"threshold": 10})"),
                 R"(not a number @2:25 | write it as a percentage, such as "10%")");
  EXPECT_REFUSED(config_with(R"("policy": {"threshold": 0.1})"), "such as \"10%\"");
  EXPECT_REFUSED(config_with(R"("policy": {"threshold": "10"})"),
                 "threshold: \"10\" is not a percentage");
  EXPECT_REFUSED(config_with(R"("policy": {"budget": 600})"), "such as \"90s\"");
  EXPECT_REFUSED(config_with(R"("policy": {"budget": "10%"})"), "is not a duration");
}

TEST(PolicyEntry, BoundsNumbers) {
  for (const char* threshold : {"1000%", "5000%"}) {
    EXPECT_REFUSED(config_with("\"policy\": {\"threshold\": \"" + std::string(threshold) + "\"}"),
                   "threshold must be below 1000%, got \"" + std::string(threshold));
  }
  EXPECT_REFUSED(config_with(R"("policy": {"threshold": "0%"})"), "threshold must be above 0, got");
  EXPECT_EQ(read(config_with(R"("policy": {"threshold": "999%"})")).policy.threshold, 9.99);
  for (const char* alpha : {"0%", "50%", "100%"}) {
    EXPECT_REFUSED(config_with("\"policy\": {\"alpha\": \"" + std::string(alpha) + "\"}"),
                   "alpha must be ");
  }
  EXPECT_REFUSED(config_with(R"("policy": {"budget": "0m"})"), "budget must be above 0");
}

TEST(PolicyEntry, PrefersTheMostSpecificThreshold) {
  const Config config = read(R"({
    "workloads": [
      {"name": "micro/add", "command": ["x"], "metrics": {"peak_rss": {"threshold": "1%"}}},
      {"name": "micro/mul", "command": ["x"]},
      {"name": "big", "command": ["x"]}],
    "policy": {"threshold": "10%", "metrics": {"peak_rss": {"threshold": "5%"}},
               "workloads": {"*": {"threshold": "4%"}, "micro/*": {"threshold": "3%"}, "*/mul": {"threshold": "2%"}}}})");
  EXPECT_EQ(threshold_for(config.policy, "micro/add", "peak_rss"), 0.01);
  EXPECT_EQ(threshold_for(config.policy, "micro/add", "step_time"), 0.03);
  EXPECT_EQ(threshold_for(config.policy, "micro/mul", "step_time"), 0.02);
  EXPECT_EQ(threshold_for(config.policy, "big", "peak_rss"), 0.04);
}

TEST(PolicyEntry, MatchesGlobsInTheOrderOfTheFile) {
  const std::string workloads = R"("workloads": [{"name": "w", "command": ["x"]}], )";
  const Config forward =
      read("{" + workloads +
           R"("policy": {"workloads": {"w*": {"threshold": "2%"}, "*": {"threshold": "3%"}}}})");
  const Config backward =
      read("{" + workloads +
           R"("policy": {"workloads": {"*": {"threshold": "3%"}, "w*": {"threshold": "2%"}}}})");
  EXPECT_EQ(threshold_for(forward.policy, "w", "step_time"), 0.03);
  EXPECT_EQ(threshold_for(backward.policy, "w", "step_time"), 0.02);
}

TEST(PolicyEntry, AppliesMetricsOfAWorkloadToItsChildren) {
  const Config config = read(R"({"workloads": [
      {"name": "a/b", "command": ["x"], "metrics": {"step_time": {"threshold": "2%"}}},
      {"name": "a", "command": ["x"], "metrics": {"step_time": {"threshold": "3%"}, "m": {"threshold": "4%"}}}]})");
  EXPECT_EQ(threshold_for(config.policy, "a", "step_time"), 0.03);
  EXPECT_EQ(threshold_for(config.policy, "a/child", "step_time"), 0.03);
  EXPECT_EQ(threshold_for(config.policy, "a/b", "step_time"), 0.02);
  EXPECT_EQ(threshold_for(config.policy, "a/b/child", "step_time"), 0.02);
  EXPECT_EQ(threshold_for(config.policy, "ab", "step_time"), 0.10);
  EXPECT_EQ(config.workloads[1].metric_thresholds.at("m"), 0.04);
}

TEST(PolicyEntry, SparesWorkloadsNamedLikeChildren) {
  const Config config = read(R"({
      "workloads": [
        {"name": "parser", "command": ["x"],
         "metrics": {"step_time": {"threshold": "40%"}, "allocations": {"threshold": "1%"}}},
        {"name": "parser/huge", "command": ["x"]}],
      "policy": {"workloads": {"parser/huge": {"threshold": "5%"}}}})");
  EXPECT_EQ(threshold_for(config.policy, "parser", "step_time"), 0.40);
  EXPECT_EQ(threshold_for(config.policy, "parser/child", "step_time"), 0.40);
  EXPECT_EQ(threshold_for(config.policy, "parser/huge", "step_time"), 0.05);
  EXPECT_EQ(threshold_for(config.policy, "parser/huge/child", "step_time"), 0.10);
  EXPECT_EQ(threshold_for(config.policy, "parser/huger", "step_time"), 0.40);
  EXPECT_TRUE(names_metric(config.policy, "parser/child", "allocations"));
  EXPECT_FALSE(names_metric(config.policy, "parser/huge", "allocations"));
}

TEST(PolicyEntry, TakesQuantilesOfStepsFromTheMedianUp) {
  const Config config =
      read(workload_with(R"("metrics": {"step_time.p99": {"threshold": "10%"}})"));
  EXPECT_TRUE(names_metric(config.policy, config.workloads[0].workload.name, "step_time.p99"));
  for (const char* wrong : {"p0", "p49", "p100", "p99.95", "P99", "99"}) {
    const std::string metrics =
        std::string(R"("metrics": {"step_time.)") + wrong + R"(": {"threshold": "10%"}})";
    EXPECT_REFUSED(workload_with(metrics), "a quantile of the steps must be p50 to p99.9");
    EXPECT_REFUSED(config_with("\"policy\": {" + metrics + "}"),
                   "a quantile of the steps must be p50 to p99.9");
  }
}

TEST(PolicyEntry, RequiresAThresholdInEachEntry) {
  EXPECT_REFUSED(config_with(R"("policy": {"metrics": {"m": {}}})"), "has no \"threshold\"");
  EXPECT_REFUSED(config_with(R"("policy": {"metrics": {"m": "5%"}})"),
                 "must be an object, not text");
  EXPECT_REFUSED(config_with(R"("policy": {"workloads": {"": {"threshold": "5%"}}})"),
                 "empty name");
  EXPECT_REFUSED(workload_with(R"("metrics": {"m": {"threshold": 5}})"), "such as \"10%\"");
  EXPECT_REFUSED(workload_with(R"("metrics": {"": {"threshold": "5%"}})"), "empty name in metrics");
}

}  // namespace
}  // namespace perf
