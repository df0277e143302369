#include <gtest/gtest.h>

#include <deque>

#include "analyzer/rows/comparison_rows.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

class Warmup : public ::testing::Test {
 protected:
  void add(double first, bool is_warmup, const std::vector<double>& others) {
    Block block = scripted::block_of(others);
    block.steps.front().seconds = first;
    block.steps.front().warmup = is_warmup;
    blocks.push_back(block);
    series.head.push_back({1, &blocks.back()});
  }
  MetricSamples series = [] {
    MetricSamples steps;
    steps.of_steps = true;
    return steps;
  }();
  std::deque<Block> blocks;
};

TEST_F(Warmup, IsTheFirstStepAgainstTheMedianOfTheTimed) {
  add(3, true, {1, 2, 1});
  add(4, true, {2, 2, 9});
  add(9, true, {2, 3, 4});
  const auto benefit = warmup_benefit(series);
  ASSERT_TRUE(benefit);
  EXPECT_EQ(benefit->first, 4);
  EXPECT_EQ(benefit->steady, 2);
  EXPECT_EQ(benefit->change, 1);
}

TEST_F(Warmup, ComparesTheFirstTimedStepWithoutWarmup) {
  add(8, false, {4, 4});
  EXPECT_EQ(warmup_benefit(series)->change, 1);
}

TEST_F(Warmup, NeedsASecondStep) {
  add(8, false, {});
  EXPECT_FALSE(warmup_benefit(series));
  add(8, true, {});
  EXPECT_FALSE(warmup_benefit(series));
}

TEST_F(Warmup, IsOfStepsOnly) {
  add(8, true, {4});
  series.of_steps = false;
  EXPECT_FALSE(warmup_benefit(series));
}

TEST_F(Warmup, HasNoRatioForStepsWithoutTime) {
  add(8, true, {0, 0});
  ASSERT_TRUE(warmup_benefit(series));
  EXPECT_FALSE(warmup_benefit(series)->change);
}

}  // namespace
}  // namespace perf
