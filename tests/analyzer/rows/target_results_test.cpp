#include "analyzer/rows/target_results.h"

#include <gtest/gtest.h>

#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

class Targets : public ::testing::Test {
 protected:
  Plan plan = scripted::plan_of({"slow", "fast", "broken"});
  History history;
  Target target;

  Targets() {
    scripted::add_pair(history, "slow", 0, 9, 4);
    scripted::add_pair(history, "fast", 0, 9, 2);
    plan.workloads[2].head_failed = "did not build";
    target.name = "pays";
    target.of = "slow";
  }
  TargetResult evaluate() const {
    return target_results({target}, standing_of(plan, history, Policy{}), "ci").front();
  }
};

TEST_F(Targets, CompareHeadsMedian) {
  target.at_most = 4.5;
  EXPECT_DOUBLE_EQ(*evaluate().value, 4);
  EXPECT_EQ(evaluate().met, true);
  target.at_most = 3.9;
  EXPECT_EQ(evaluate().met, false);
}

TEST_F(Targets, CompareRatios) {
  target.over = "fast";
  target.at_least = 2.0;
  EXPECT_DOUBLE_EQ(*evaluate().value, 2);
  EXPECT_EQ(evaluate().met, true);
  target.at_least = 2.1;
  EXPECT_EQ(evaluate().met, false);
}

TEST_F(Targets, SpeakOfOtherMetrics) {
  target.metric = "peak_rss";
  target.at_most = 2e6;
  EXPECT_EQ(evaluate().value, 1e6);
}

TEST_F(Targets, AreNullWhereNothingWasMeasured) {
  target.at_most = 100;
  for (const char* name : {"broken", "unknown"}) {
    target.of = name;
    EXPECT_EQ(evaluate().value, std::nullopt) << name;
    EXPECT_EQ(evaluate().met, std::nullopt) << name;
  }
  target.of = "slow";
  target.over = "broken";
  EXPECT_EQ(evaluate().met, std::nullopt);
  target.over.clear();
  target.metric = "unheard_of";
  EXPECT_EQ(evaluate().met, std::nullopt);
}

TEST_F(Targets, OfAnotherSizeAreNull) {
  target.at_most = 100;
  target.size = "full";
  EXPECT_EQ(evaluate().met, std::nullopt);
  target.size = "ci";
  EXPECT_EQ(evaluate().met, true);
}

}  // namespace
}  // namespace perf
