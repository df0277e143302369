#include "workloads/kernels/fast_exp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace perf::workloads {
namespace {

TEST(FastExp2, IsRightTo3e7) {
  for (int i = -126'000; i <= 127'000; ++i) {
    const float x = static_cast<float>(i) / 1000;
    ASSERT_NEAR(fast_exp2(x) / std::exp2(static_cast<double>(x)), 1, 3e-7) << x;
  }
}

TEST(FastExp2, IsExactAtWholeNumbersAndZeroBelow) {
  for (int n = -126; n <= 127; ++n) {
    EXPECT_EQ(fast_exp2(static_cast<float>(n)), std::ldexp(1.0F, n));
  }
  for (const float below : {-126.6F, -127.0F, -1e4F, -std::numeric_limits<float>::max()}) {
    EXPECT_EQ(fast_exp2(below), 0) << below;
  }
  EXPECT_EQ(fast_exp2(-std::numeric_limits<float>::infinity()), 0);
  EXPECT_TRUE(std::isnan(fast_exp2(NAN)));
  EXPECT_TRUE(std::isnan(fast_exp2(-NAN)));
}

}  // namespace
}  // namespace perf::workloads
