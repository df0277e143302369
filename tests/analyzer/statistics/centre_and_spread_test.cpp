#include "analyzer/statistics/centre_and_spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace perf {
namespace {

TEST(Median, IsTheMiddleOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median({7}), 7);
  EXPECT_TRUE(std::isnan(median({})));
}

/// Of many values, told by a sample: where that misses, too (sorted, in turns, nearly all equal).
TEST(Median, OfManyIsThatOfTheSortedValues) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const std::size_t count : {999U, 1000U, 1001U, 4096U, 20'000U, 100'001U}) {
    std::vector<double> drawn(count), ticks(count), rising(count), in_turns(count), lone(count);
    for (std::size_t i = 0; i < count; ++i) {
      drawn[i] = normal(random);
      ticks[i] = std::round(drawn[i]);
      rising[i] = static_cast<double>(i);
      in_turns[i] = static_cast<double>(i % 16);
      lone[i] = i % 16 == 0 ? 5 + drawn[i] : drawn[i];
    }
    for (const std::vector<double>& values : {drawn, ticks, rising, in_turns, lone}) {
      std::vector<double> sorted = values;
      std::ranges::sort(sorted);
      EXPECT_EQ(median(values), (sorted[(count - 1) / 2] + sorted[count / 2]) / 2) << count;
    }
  }
}

TEST(CentreAndSpread, OfANormalSampleIsItsDeviation) {
  const CentreAndSpread found = centre_and_spread(std::vector<double>{1, 2, 3, 4, 100});
  EXPECT_EQ(found.centre, 3);
  EXPECT_NEAR(found.spread, 1.4826, 1e-12) << "one far value is no spread";
  EXPECT_EQ(found.count, 5u);
}

TEST(Sums, AreAboutACentre) {
  const std::vector<double> values{1, 2, 6};
  EXPECT_DOUBLE_EQ(mean(values), 3);
  EXPECT_DOUBLE_EQ(squares_about(values, 3), 14);
  EXPECT_DOUBLE_EQ(products_about(values, 3), 2 - 3);
}

}  // namespace
}  // namespace perf
