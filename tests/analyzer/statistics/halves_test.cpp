#include "analyzer/statistics/halves.h"

#include <gtest/gtest.h>

#include <vector>

namespace perf {
namespace {

TEST(Halves, ShiftByHand) {
  const auto halves = halves_shift(std::vector<double>{1, 2, 3, 11, 12, 13}, 0.1);
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->first, 2);
  EXPECT_EQ(halves->second, 12);
  EXPECT_EQ(halves->shift, 10);
  EXPECT_EQ(halves->low, 8);    // k = 1: from 11 - 3
  EXPECT_EQ(halves->high, 12);  // to 13 - 1
}

TEST(Halves, MiddleOfAnOddNumberIsLate) {
  EXPECT_EQ(halves_shift(std::vector<double>{0, 0, 0, 0, 5, 5, 5, 5, 5}, 0.05)->shift, 5);
}

TEST(Halves, TooFewForTheLevelSayNothing) {
  EXPECT_FALSE(halves_shift(std::vector<double>{1, 2, 3, 11, 12, 13}, 0.09));
  EXPECT_FALSE(halves_shift(std::vector<double>{}, 0.5));
  EXPECT_FALSE(halves_shift(std::vector<double>{1}, 0.5));
}

TEST(Halves, EqualHalvesDoNotDiffer) {
  const auto halves = halves_shift(std::vector<double>{1, 2, 3, 4, 5, 5, 4, 3, 2, 1}, 0.05);
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->shift, 0);
  EXPECT_LT(halves->low, 0);
  EXPECT_GT(halves->high, 0);
}

}  // namespace
}  // namespace perf
