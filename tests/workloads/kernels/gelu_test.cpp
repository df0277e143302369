#include "workloads/kernels/gelu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/workloads/random_values.h"
#include "workloads/kernels/agreement.h"
#include "workloads/kernels/fast_exp.h"

namespace perf::workloads {
namespace {

TEST(FastExp, IsExactToSinglePrecision) {
  for (float x = -87; x < 88; x += 0.00731F) {
    const double want = std::exp(static_cast<double>(x));
    ASSERT_NEAR(fast_exp(x) / want, 1, 3e-7) << x;
  }
}

TEST(FastExp, ClampsWhatIsFarOutsideAndKeepsNaN) {
  for (const float far : {87.5F, 1000.0F, 1e30F, INFINITY}) {
    EXPECT_EQ(fast_exp(-far), fast_exp(-87)) << far;
    EXPECT_EQ(fast_exp(88 + far), fast_exp(88)) << far;
  }
  EXPECT_NEAR(fast_exp(-0.0F), 1, 1e-7);
  EXPECT_TRUE(std::isnan(fast_exp(NAN)));
  EXPECT_TRUE(std::isnan(fast_exp(-NAN)));
}

TEST(Gelu, IsTheTanhForm) {
  for (double x = -8; x < 8; x += 0.01) {
    const double u = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
    ASSERT_NEAR(gelu(x), x / 2 * (1 + std::tanh(u)), 1e-12) << x;
  }
}

TEST(Gelu, SlopeMatchesFiniteDifferences) {
  constexpr double kStep = 1e-5;
  for (double x = -6; x < 6; x += 0.01) {
    ASSERT_NEAR(gelu_slope(x), (gelu(x + kStep) - gelu(x - kStep)) / (2 * kStep), 1e-9) << x;
  }
}

class BiasGelu : public testing::TestWithParam<std::size_t> {};  // columns

TEST_P(BiasGelu, MatchesReference) {
  const std::size_t rows = 19, columns = GetParam();
  const std::vector<float> bias = random_values(columns, 1);
  std::vector<float> pre = random_values(rows * columns, 2, 12), pre_reference = pre;
  std::vector<float> act(pre.size()), act_reference(pre.size());
  bias_gelu(pre.data(), bias.data(), act.data(), rows, columns);
  bias_gelu_reference(pre_reference.data(), bias.data(), act_reference.data(), rows, columns);
  EXPECT_EQ(pre, pre_reference);
  EXPECT_LT(largest_relative_error(act.data(), act_reference.data(), act.size()), 1e-6);

  std::vector<float> grad = random_values(pre.size(), 3), grad_reference = grad;
  std::vector<float> sums(columns, NAN), sums_reference(columns);
  bias_gelu_backward(pre.data(), grad.data(), sums.data(), rows, columns);
  bias_gelu_backward_reference(pre.data(), grad_reference.data(), sums_reference.data(), rows,
                               columns);
  EXPECT_LT(largest_relative_error(grad.data(), grad_reference.data(), grad.size()), 3e-6);
  EXPECT_LT(largest_relative_error(sums.data(), sums_reference.data(), columns), 4e-6);
}

// Below a vector, odd tails, and more than one block of columns.
INSTANTIATE_TEST_SUITE_P(Columns, BiasGelu, testing::Values(1, 7, 64, 129, 2500));

}  // namespace
}  // namespace perf::workloads
