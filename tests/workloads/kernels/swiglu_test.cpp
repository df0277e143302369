#include "workloads/kernels/swiglu.h"

#include "tests/workloads/threads.h"
#include "tests/workloads/typed_values.h"

namespace perf::workloads {
namespace {

double silu(double x) {
  return x / (1 + std::exp(-x));
}

double silu_slope(double x) {
  const double s = 1 / (1 + std::exp(-x));
  return s * (1 + x * (1 - s));
}

TEST(SwigluFormulas, SlopeMatchesFiniteDifferences) {
  constexpr double kStep = 1e-5;
  for (double x = -20; x < 20; x += 0.037) {
    ASSERT_NEAR(silu_slope(x), (silu(x + kStep) - silu(x - kStep)) / (2 * kStep), 1e-9) << x;
  }
}

template <class T>
class Swiglu : public testing::Test {};
TYPED_TEST_SUITE(Swiglu, StorageTypes);

TYPED_TEST(Swiglu, MatchesPlainLoopsBothWays) {
  using T = TypeParam;
  for (const std::size_t inner : {1, 7, 64, 129, 2500}) {
    const std::size_t rows = 19;
    const auto gate_up = typed_values<T>(rows * 2 * inner, 1, 12);
    const auto grad_out = typed_values<T>(rows * inner, 2);
    const std::vector<double> both = widened(gate_up), grad = widened(grad_out);
    std::vector<double> want(rows * inner), want_grad(rows * 2 * inner);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < inner; ++i) {
        const std::size_t gate = row * 2 * inner + i, up = gate + inner, at = row * inner + i;
        want[at] = silu(both[gate]) * both[up];
        want_grad[gate] = grad[at] * both[up] * silu_slope(both[gate]);
        want_grad[up] = grad[at] * silu(both[gate]);
      }
    }
    std::vector<T> out(rows * inner), replaced = gate_up;
    swiglu_forward(gate_up.data(), out.data(), rows, inner);
    swiglu_backward(replaced.data(), grad_out.data(), rows, inner);
    // fast_exp is good to 3e-7, and 1 + g (1 - s) cancels where silu has its minimum: the terms
    // there are up to 12 times as large as what is left.
    expect_rounded(out, want, 1e-6);
    expect_rounded(replaced, want_grad, 1e-5);
  }
}

TYPED_TEST(Swiglu, SaturatesForLargeGates) {
  using T = TypeParam;
  const auto gate_up = narrowed<T>({1000, -1000, 2, 2}), grad_out = narrowed<T>({1, 1});
  std::vector<T> out(2), replaced = gate_up;
  swiglu_forward(gate_up.data(), out.data(), 1, 2);
  swiglu_backward(replaced.data(), grad_out.data(), 1, 2);
  EXPECT_EQ(widened(out)[0], 2000);
  EXPECT_NEAR(widened(out)[1], 0, 1e-30);
  const std::vector<double> grad = widened(replaced);  // of gate: 2, 0; of up: 1000, 0
  EXPECT_EQ(grad[0], 2);
  EXPECT_NEAR(grad[1], 0, 1e-30);
  EXPECT_EQ(grad[2], 1000);
  EXPECT_NEAR(grad[3], 0, 1e-30);
}

TYPED_TEST(Swiglu, DoesNotDependOnThreads) {
  using T = TypeParam;
  const auto gate_up = typed_values<T>(13 * 2 * 77, 1), grad_out = typed_values<T>(13 * 77, 2);
  expect_same_on_any_threads([&] {
    std::vector<T> out(13 * 77), replaced = gate_up;
    swiglu_forward(gate_up.data(), out.data(), 13, 77);
    swiglu_backward(replaced.data(), grad_out.data(), 13, 77);
    return std::vector{widened(out), widened(replaced)};
  });
}

}  // namespace
}  // namespace perf::workloads
