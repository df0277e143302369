#include "workloads/kernels/quantize.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/workloads/random_values.h"

namespace perf::workloads {
namespace {

constexpr std::size_t kRows = 11, kColumns = 333;

struct Quantized {
  std::vector<float> in = random_values(kRows * kColumns, 1, 3);
  std::vector<std::int8_t> levels = std::vector<std::int8_t>(kRows * kColumns);
  std::vector<float> scales = std::vector<float>(kRows);
};

TEST(QuantizeInt8, MatchesReference) {
  Quantized got, want;
  quantize_int8(got.in.data(), got.levels.data(), got.scales.data(), kRows, kColumns);
  quantize_int8_reference(want.in.data(), want.levels.data(), want.scales.data(), kRows, kColumns);
  EXPECT_EQ(got.scales, want.scales);
  EXPECT_EQ(got.levels, want.levels);
}

TEST(QuantizeInt8, RoundTripsToHalfALevelAndUsesTheRange) {
  Quantized q;
  quantize_int8(q.in.data(), q.levels.data(), q.scales.data(), kRows, kColumns);
  EXPECT_LE(largest_rounding(q.in.data(), q.levels.data(), q.scales.data(), kRows, kColumns),
            0.5 + 1e-4);
  for (std::size_t row = 0; row < kRows; ++row) {
    int largest = 0;
    for (std::size_t i = 0; i < kColumns; ++i)
      largest = std::max(largest, std::abs(q.levels[row * kColumns + i]));
    EXPECT_EQ(largest, 127);
  }
}

TEST(QuantizeInt8, RowsOfZerosStayZero) {
  std::vector<float> in(2 * 40, 0.0F);
  in[40] = -2;
  std::vector<std::int8_t> levels(in.size(), 5);
  std::vector<float> scales(2, NAN);
  quantize_int8(in.data(), levels.data(), scales.data(), 2, 40);
  EXPECT_EQ(scales[0], 0);
  EXPECT_EQ(levels[0], 0);
  EXPECT_EQ(levels[40], -127);
}

TEST(QuantizeInt8, LargestRoundingShowsTruncation) {
  Quantized q;
  quantize_int8(q.in.data(), q.levels.data(), q.scales.data(), kRows, kColumns);
  q.levels[5] = static_cast<std::int8_t>(q.levels[5] + (q.levels[5] < 0 ? 1 : -1));
  EXPECT_GT(largest_rounding(q.in.data(), q.levels.data(), q.scales.data(), kRows, kColumns),
            0.501);
}

// Uniform values in [-a, a): the noise of a rounding to steps of a/127 has variance (a/127)^2/12,
// the signal a^2/3, so the ratio is 4 * 127^2.
TEST(QuantizationPower, IsWhatTheoryGivesForUniformValues) {
  Quantized q;
  quantize_int8(q.in.data(), q.levels.data(), q.scales.data(), kRows, kColumns);
  const QuantizationPower power =
      quantization_power(q.in.data(), q.levels.data(), q.scales.data(), kRows, kColumns);
  EXPECT_NEAR(power.signal / power.noise / (4.0 * 127 * 127), 1, 0.1);
}

}  // namespace
}  // namespace perf::workloads
