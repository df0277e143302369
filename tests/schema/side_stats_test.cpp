#include "schema/side_stats.h"

#include <gtest/gtest.h>

#include <cmath>

namespace perf {
namespace {

TEST(SideStats, MatchATextbook) {
  const auto stats = side_stats({2, 4, 4, 4, 5, 5, 7, 9});
  ASSERT_TRUE(stats);
  EXPECT_DOUBLE_EQ(stats->mean, 5);
  EXPECT_NEAR(stats->stddev, std::sqrt(32.0 / 7), 1e-12);
  EXPECT_DOUBLE_EQ(stats->median, 4.5);
  EXPECT_NEAR(stats->p90, 7.6, 1e-12);
  EXPECT_EQ(stats->min, 2);
  EXPECT_EQ(stats->max, 9);
  EXPECT_NEAR(stats->cov, stats->stddev / 5, 1e-12);
}

TEST(SideStats, AreAbsentWithoutValues) {
  EXPECT_FALSE(side_stats({}));
}

TEST(SideStats, HaveNoSpreadForOneValue) {
  const auto stats = side_stats({0.25});
  EXPECT_EQ(stats->median, 0.25);
  EXPECT_EQ(stats->p90, 0.25);
  EXPECT_EQ(stats->stddev, 0);
  EXPECT_EQ(stats->cov, 0);
}

TEST(SideStats, AreZeroForZeros) {
  const auto stats = side_stats({0, 0, 0});
  EXPECT_EQ(stats->mean, 0);
  EXPECT_EQ(stats->cov, 0);
}

TEST(SideStats, AreExactForEqualValues) {
  const auto stats = side_stats({0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
  EXPECT_EQ(stats->median, 0.1);
  EXPECT_EQ(stats->mean, 0.1);
  EXPECT_NEAR(stats->stddev, 0, 1e-17);
}

TEST(SideStats, StayFiniteAtTheEdgesOfDouble) {
  for (const double huge : {1e308, 5e-324}) {
    const auto stats = side_stats({huge, huge, huge / 2, 0});
    for (const double value : {stats->median, stats->p90, stats->mean, stats->stddev, stats->cov}) {
      EXPECT_TRUE(std::isfinite(value)) << huge;
    }
  }
}

TEST(SideStats, MatchR) {
  const SideStats one = side_stats({0.25}).value();
  EXPECT_EQ(one.mean, 0.25);
  EXPECT_EQ(one.stddev, 0);
  EXPECT_EQ(one.p90, 0.25);
  // R: x <- c(3, 1, 2, 10); mean(x); sd(x); quantile(x, .9)
  const SideStats some = side_stats({3, 1, 2, 10}).value();
  EXPECT_DOUBLE_EQ(some.mean, 4);
  EXPECT_NEAR(some.stddev, 4.082483, 1e-6);
  EXPECT_EQ(some.min, 1);
  EXPECT_NEAR(some.p90, 7.9, 1e-12);
  EXPECT_EQ(some.max, 10);
  const SideStats huge = side_stats({1e308, 1e308}).value();
  EXPECT_EQ(huge.mean, 1e308);
  EXPECT_EQ(huge.stddev, 0);
}

}  // namespace
}  // namespace perf
