#include <gtest/gtest.h>

#include "analyzer/trend/false_alarms.h"

namespace perf {
namespace {

TEST(PointsWanted, GrowWithTheNoiseAndShrinkWithTheStep) {
  const std::size_t quiet = points_wanted(0.005, 0.10);
  const std::size_t noisy = points_wanted(0.04, 0.10);
  EXPECT_GE(quiet, 8U);
  EXPECT_LE(quiet, 20U) << "a step of twenty times the noise";
  EXPECT_TRUE(noisy == 0 || noisy > quiet) << noisy;
  EXPECT_LE(points_wanted(0.01, 0.50), points_wanted(0.01, 0.05));
}

TEST(PointsWanted, AreNotKnownWhereNoiseHidesTheStep) {
  EXPECT_EQ(points_wanted(0.5, 0.01), 0U);
}

}  // namespace
}  // namespace perf
