#include <gtest/gtest.h>

#include <cmath>

#include "analyzer/detector/change_points.h"
#include "tests/analyzer/detector/synthetic_series.h"

namespace perf::test {
namespace {

/// Noise that grows by `total` in all.
std::vector<double> drifting(std::size_t points, double total, std::mt19937_64& random) {
  std::vector<double> noise = noise_of(Nature::white, points, 0.01, random);
  for (std::size_t i = 0; i < points; ++i) {
    noise[i] += std::log1p(total) * static_cast<double>(i) / static_cast<double>(points - 1);
  }
  return times(noise);
}

TEST(Slope, FindsADriftOfFivePerCent) {
  std::mt19937_64 random(1);
  int found = 0, held = 0;
  for (int replica = 0; replica < 200; ++replica) {
    const double total = replica % 2 == 0 ? 0.05 : -0.05;
    const std::vector<double> values = drifting(200, total, random);
    const std::optional<FoundSlope> slope = find_slope(values, find_steps(values));
    if (!slope) {
      continue;
    }
    ++found;
    held += slope->interval.low <= total && total <= slope->interval.high ? 1 : 0;
    EXPECT_NEAR(slope->total, total, 0.02);
    EXPECT_NEAR(slope->per_point, std::log1p(total) / 199, 1e-4);
    EXPECT_EQ(slope->begin, 0U);
    EXPECT_EQ(slope->end, 200U);
  }
  EXPECT_GE(found, 195);
  EXPECT_GE(held, 180);
}

TEST(Slope, UsesTheLastTwoHundredPoints) {
  std::mt19937_64 random(2);
  std::vector<double> values(400, 0.0);
  const std::vector<double> end = drifting(200, 0.10, random);
  const std::vector<double> begin = drifting(150, 0, random);
  std::copy(begin.begin(), begin.end(), values.begin());  // 50 gaps follow
  std::copy(end.begin(), end.end(), values.begin() + 200);
  const std::optional<FoundSlope> slope = find_slope(values, {});
  ASSERT_TRUE(slope);
  EXPECT_EQ(slope->begin, 200U);
  EXPECT_EQ(slope->end, 400U);
}

TEST(Slope, IsFoundFromTwoPerCentOn) {
  for (const double total : {-0.03, -0.0201, -0.0199, 0.0199, 0.0201, 0.03}) {
    std::vector<double> values(100);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = std::exp(std::log1p(total) * static_cast<double>(i) / 99);
    }
    EXPECT_EQ(find_slope(values, {}).has_value(), std::abs(total) > 0.02) << total;
  }
}

TEST(Slope, IsNotFoundInAStep) {
  std::mt19937_64 random(3);
  const std::vector<double> values = times(noise_of(Nature::white, 200, 0.01, random), 100, 0.10);
  EXPECT_FALSE(find_slope(values, find_steps(values)));
  EXPECT_FALSE(find_slope(values, {})) << "nor where nobody has found it";
}

TEST(Slope, IgnoresNegligibleChanges) {
  std::vector<double> values(200);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 1 + 0.015 * static_cast<double>(i) / 199;
  }
  EXPECT_FALSE(find_slope(values, {}));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 1 + 0.03 * static_cast<double>(i) / 199;
  }
  EXPECT_TRUE(find_slope(values, {}));
}

TEST(Slope, NeedsEnoughPoints) {
  for (std::size_t points = 0; points < 30; ++points) {
    EXPECT_FALSE(find_slope(std::vector<double>(points, 1.0), {})) << points;
  }
}

}  // namespace
}  // namespace perf::test
