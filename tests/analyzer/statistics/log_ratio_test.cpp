#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

TEST(LogRatio, IsTheLogarithmOfHeadOverBase) {
  EXPECT_DOUBLE_EQ(*log_ratio(2, 3), std::log(3.0) - std::log(2.0));
  EXPECT_NEAR(*relative_change(*log_ratio(2, 3)), 0.5, 1e-15);
}

TEST(LogRatio, IsZeroForTwoZeros) {
  EXPECT_EQ(log_ratio(0, 0), 0.0);
}

TEST(LogRatio, IsUnboundedFromZero) {
  EXPECT_EQ(log_ratio(0, 1e-300), kZeroSide);
  EXPECT_EQ(relative_change(kZeroSide), std::nullopt);
}

TEST(LogRatio, IsUnboundedToZero) {
  EXPECT_EQ(log_ratio(5, 0), -kZeroSide);
  EXPECT_EQ(relative_change(-kZeroSide), -1.0);
}

TEST(LogRatio, StaysFiniteForExtremes) {
  EXPECT_EQ(log_ratio(5e-324, 1e308), kZeroSide);
  EXPECT_EQ(log_ratio(1e308, 5e-324), -kZeroSide);
}

TEST(LogRatio, IsAbsentForNegativesAndNonFinites) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity, -1.0, -5e-324}) {
    EXPECT_FALSE(log_ratio(bad, 1)) << bad;
    EXPECT_FALSE(log_ratio(1, bad)) << bad;
    EXPECT_FALSE(log_ratio(bad, bad)) << bad;
  }
}

}  // namespace
}  // namespace perf
