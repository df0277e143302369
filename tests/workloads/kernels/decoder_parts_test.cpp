#include "workloads/kernels/decoder_parts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/workloads/random_values.h"

namespace perf::workloads {
namespace {

TEST(RmsNorm, MatchesTheDefinition) {
  constexpr std::size_t kRows = 3, kColumns = 37;
  const std::vector<float> in = random_values(kRows * kColumns, 1, 2);
  const std::vector<float> gain = random_values(kColumns, 2);
  std::vector<float> out(in.size());
  rms_norm(in.data(), gain.data(), out.data(), kRows, kColumns);
  for (std::size_t row = 0; row < kRows; ++row) {
    double squares = 0;
    for (std::size_t i = 0; i < kColumns; ++i)
      squares += std::pow(in[row * kColumns + i], 2);
    for (std::size_t i = 0; i < kColumns; ++i)
      EXPECT_NEAR(out[row * kColumns + i],
                  in[row * kColumns + i] / std::sqrt(squares / kColumns + kRmsEpsilon) * gain[i],
                  2e-6);
  }
}

TEST(Rope, RotatesEachPairByItsAngle) {
  constexpr std::size_t kSize = 8, kPositions = 20;
  std::vector<float> cosines(kPositions * kSize / 2), sines(kPositions * kSize / 2);
  rope_table(cosines.data(), sines.data(), kPositions, kSize);
  const std::vector<float> before = random_values(kSize, 1);
  for (const std::size_t position : {0U, 1U, 19U}) {
    std::vector<float> head = before;
    rope(head.data(), &cosines[position * kSize / 2], &sines[position * kSize / 2], kSize);
    for (std::size_t i = 0; i < kSize / 2; ++i) {
      const double angle =
          static_cast<double>(position) * std::pow(10000.0, -2.0 * static_cast<double>(i) / kSize);
      const double low = before[i], high = before[i + kSize / 2];
      EXPECT_NEAR(head[i], low * std::cos(angle) - high * std::sin(angle), 1e-6);
      EXPECT_NEAR(head[i + kSize / 2], high * std::cos(angle) + low * std::sin(angle), 1e-6);
    }
  }
}

TEST(Swiglu, MatchesTheDefinition) {
  constexpr std::size_t kRows = 3, kInner = 21;
  const std::vector<float> both = random_values(kRows * 2 * kInner, 1, 20);
  std::vector<float> out(kRows * kInner);
  swiglu(both.data(), out.data(), kRows, kInner);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t i = 0; i < kInner; ++i) {
      const double gate = both[row * 2 * kInner + i], up = both[row * 2 * kInner + kInner + i];
      EXPECT_NEAR(out[row * kInner + i], gate / (1 + std::exp(-gate)) * up, 1e-4);
    }
  }
}

}  // namespace
}  // namespace perf::workloads
