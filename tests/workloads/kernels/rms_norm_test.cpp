#include "workloads/kernels/rms_norm.h"

#include "tests/workloads/threads.h"
#include "tests/workloads/typed_values.h"

namespace perf::workloads {
namespace {

constexpr double kEpsilon = 0.01;  // large enough to be seen if it is left out

template <class T>
class RmsNorm : public testing::Test {};
TYPED_TEST_SUITE(RmsNorm, StorageTypes);

struct Shape {
  std::size_t rows, columns;
};
// Fewer and more rows than parts, below a vector, odd tails, several blocks of columns.
constexpr Shape kShapes[] = {{1, 1}, {3, 7}, {65, 129}, {130, 896}, {7, 2500}};

// Plain loops in double precision over the same rounded inputs.
struct RmsNormReference {
  std::vector<double> out, inverse_rms, grad_in, grad_gain;

  RmsNormReference(const Shape& shape, const std::vector<double>& in,
                   const std::vector<double>& gain, const std::vector<double>& grad_out,
                   const std::vector<double>& residual)
      : out(in.size()), inverse_rms(shape.rows), grad_in(residual), grad_gain(shape.columns) {
    const auto columns = static_cast<double>(shape.columns);
    for (std::size_t row = 0; row < shape.rows; ++row) {
      const std::size_t first = row * shape.columns;
      double squares = 0, dot = 0;
      for (std::size_t i = 0; i < shape.columns; ++i) {
        squares += in[first + i] * in[first + i];
      }
      const double r = 1 / std::sqrt(squares / columns + kEpsilon);
      inverse_rms[row] = r;
      for (std::size_t i = 0; i < shape.columns; ++i) {
        dot += grad_out[first + i] * gain[i] * in[first + i];
      }
      for (std::size_t i = 0; i < shape.columns; ++i) {
        const double x = in[first + i], d = grad_out[first + i];
        out[first + i] = x * r * gain[i];
        grad_in[first + i] += r * gain[i] * d - x * r * r * r * dot / columns;
        grad_gain[i] += d * x * r;
      }
    }
  }
};

TYPED_TEST(RmsNorm, MatchesPlainLoopsBothWays) {
  using T = TypeParam;
  for (const Shape& shape : kShapes) {
    const std::size_t count = shape.rows * shape.columns;
    const auto in = typed_values<T>(count, 1, 3), gain = typed_values<T>(shape.columns, 2);
    const auto grad_out = typed_values<T>(count, 3), residual = typed_values<T>(count, 4);
    const RmsNormReference want(shape, widened(in), widened(gain), widened(grad_out),
                                widened(residual));

    std::vector<T> out(count), grad_in = residual, grad_gain(shape.columns, narrow<T>(NAN));
    std::vector<float> inverse_rms(shape.rows), partial(kRmsNormParts * shape.columns, NAN);
    rms_norm_forward(in.data(), gain.data(), out.data(), inverse_rms.data(), shape.rows,
                     shape.columns, kEpsilon);
    rms_norm_backward(in.data(), gain.data(), inverse_rms.data(), grad_out.data(), grad_in.data(),
                      grad_gain.data(), partial.data(), shape.rows, shape.columns);
    // Single-precision sums of up to 2500 terms of size one, relative to their root: 1e-6 where
    // they are added in lanes, 2e-6 where a compiler adds them one by one (-O1).
    expect_rounded(out, want.out, 2.5e-6);
    expect_rounded(inverse_rms, want.inverse_rms, 2.5e-6);
    expect_rounded(grad_in, want.grad_in, 4e-6);
    expect_rounded(grad_gain, want.grad_gain, 1e-5);

    std::vector<T> without_gain = residual;
    rms_norm_backward<T>(in.data(), gain.data(), inverse_rms.data(), grad_out.data(),
                         without_gain.data(), nullptr, nullptr, shape.rows, shape.columns);
    EXPECT_EQ(widened(without_gain), widened(grad_in));
  }
}

// The gradient of sum(out * grad_out), by central differences of the double-precision reference:
// guards the formulas that the test above shares with the kernel.
TEST(RmsNormFormulas, MatchFiniteDifferences) {
  const Shape shape = {2, 5};
  const auto values = [](std::uint32_t seed, std::size_t count) {
    return widened(random_values(count, seed));
  };
  std::vector<double> in = values(1, 10), gain = values(2, 5);
  const std::vector<double> weight = values(3, 10);
  const auto loss = [&] {
    const RmsNormReference r(shape, in, gain, weight, std::vector<double>(10));
    double sum = 0;
    for (std::size_t i = 0; i < 10; ++i) {
      sum += r.out[i] * weight[i];
    }
    return sum;
  };
  const RmsNormReference analytic(shape, in, gain, weight, std::vector<double>(10));
  const auto slope = [&](double& x) {
    constexpr double kStep = 1e-5;
    const double at = x;
    x = at + kStep;
    const double high = loss();
    x = at - kStep;
    const double low = loss();
    x = at;
    return (high - low) / (2 * kStep);
  };
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_NEAR(slope(in[i]), analytic.grad_in[i], 1e-8) << i;
  }
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(slope(gain[i]), analytic.grad_gain[i], 1e-8) << i;
  }
}

TYPED_TEST(RmsNorm, DoesNotDependOnThreads) {
  using T = TypeParam;
  const std::size_t rows = 131, columns = 257;
  const auto in = typed_values<T>(rows * columns, 1), gain = typed_values<T>(columns, 2);
  const auto grad_out = typed_values<T>(rows * columns, 3);
  expect_same_on_any_threads([&] {
    std::vector<T> out(in.size()), grad_in(in.size()), grad_gain(columns);
    std::vector<float> inverse_rms(rows), partial(kRmsNormParts * columns);
    rms_norm_forward(in.data(), gain.data(), out.data(), inverse_rms.data(), rows, columns,
                     kEpsilon);
    rms_norm_backward(in.data(), gain.data(), inverse_rms.data(), grad_out.data(), grad_in.data(),
                      grad_gain.data(), partial.data(), rows, columns);
    return std::vector{widened(out), widened(grad_in), widened(grad_gain)};
  });
}

}  // namespace
}  // namespace perf::workloads
