#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "analyzer/detector/internal.h"
#include "analyzer/detector/levels.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "tests/analyzer/detector/synthetic_series.h"

namespace perf::test {
namespace {

TEST(SeriesNoise, IsTheDeviationOfNormalNoise) {
  std::mt19937_64 random(1);
  const std::vector<double> noise = noise_of(Nature::white, 5000, 0.02, random);
  EXPECT_NEAR(series_noise(times(noise)), 0.02, 0.001);
}

TEST(SeriesNoise, DoesNotCountStepsSlopesAndOutliers) {
  std::mt19937_64 random(2);
  std::vector<double> noise = noise_of(Nature::white, 300, 0.01, random);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    noise[i] += (i >= 150 ? 0.5 : 0.0) + 0.001 * static_cast<double>(i) + (i % 20 == 0 ? 2 : 0);
  }
  EXPECT_NEAR(series_noise(times(noise)), 0.0115, 0.0025);
}

TEST(SeriesNoise, HasAFloorWhereNothingVariesOrNothingIsKnown) {
  EXPECT_EQ(series_noise(std::vector<double>(50, 3.0)), kLeastNoise);
  EXPECT_EQ(series_noise({}), kLeastNoise);
  EXPECT_EQ(series_noise({1.0}), kLeastNoise);
}

TEST(SeriesNoise, IgnoresGaps) {
  std::mt19937_64 random(3);
  std::vector<double> values = times(noise_of(Nature::white, 400, 0.01, random));
  const double noise = series_noise(values);
  values.insert(values.begin() + 7, std::numeric_limits<double>::quiet_NaN());
  values.insert(values.begin() + 99, {0.0, -1.0, std::numeric_limits<double>::infinity()});
  EXPECT_DOUBLE_EQ(series_noise(values), noise);
}

TEST(SeriesNoise, IsTheSameOnTheLinearScaleForSmallNoise) {
  std::mt19937_64 random(4);
  const std::vector<double> values = times(noise_of(Nature::white, 2000, 0.01, random));
  EXPECT_NEAR(series_noise(values, Scale::linear), series_noise(values), 0.0002);
}

TEST(NoiseLevels, ClipsOutliersToThreeDeviations) {
  std::mt19937_64 random(5);
  std::vector<double> y = noise_of(Nature::white, 200, 0.01, random);
  y[60] = 5;
  const NoiseLevels noise = noise_levels(y);
  EXPECT_NEAR(noise.clipped[60], 3 * noise.point, 0.02);
  EXPECT_EQ(noise.clipped.size(), y.size());
}

double sorted_median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double point_noise_as_defined(const std::vector<double>& y) {
  double noise = kLeastNoise;
  for (std::size_t k = 1; k <= std::clamp<std::size_t>(y.size() / 4, 1, 4) && k < y.size(); ++k) {
    std::vector<double> distances;
    for (std::size_t i = k; i < y.size(); ++i) {
      distances.push_back(std::abs(y[i] - y[i - k]));
    }
    noise = std::max(noise, kNormalDeviations * sorted_median(distances) / std::sqrt(2));
  }
  return noise;
}

double middle_as_defined(const std::vector<double>& y, std::size_t i) {
  const std::size_t count = std::min<std::size_t>(7, y.size());
  const std::size_t begin = std::min(i - std::min<std::size_t>(i, 3), y.size() - count);
  const auto first = y.begin() + static_cast<std::ptrdiff_t>(begin);
  return sorted_median({first, first + static_cast<std::ptrdiff_t>(count)});
}

double block_noise_as_defined(const std::vector<double>& y, std::size_t m) {
  std::vector<double> differences;
  for (std::size_t i = 0; i + 2 * m <= y.size(); ++i) {
    const auto block = y.begin() + static_cast<std::ptrdiff_t>(i);
    const auto size = static_cast<std::ptrdiff_t>(m);
    differences.push_back(std::abs(std::accumulate(block + size, block + 2 * size, 0.0) -
                                   std::accumulate(block, block + size, 0.0)));
  }
  const double farthest = 3 * kNormalDeviations * sorted_median(differences);
  double sum = 0;
  for (const double one : differences) {
    sum += std::min(one, farthest);
  }
  const double size = static_cast<double>(m);
  return kNormalMeanDistances * sum / static_cast<double>(differences.size()) / size *
         std::sqrt(size / 2);
}

TEST(NoiseLevels, AreTheLargestOfAllDistancesAndBlocks) {
  std::mt19937_64 random(9);
  for (const Nature nature : all_natures()) {
    for (const std::size_t n : {1UL, 2UL, 5UL, 6UL, 7UL, 8UL, 19UL, 60UL, 250UL}) {
      const std::vector<double> y = noise_of(nature, n, 0.01, random);
      const NoiseLevels noise = noise_levels(y);
      EXPECT_EQ(noise.point, point_noise_as_defined(y)) << name_of(nature) << ' ' << n;
      for (std::size_t i = 0; i < n; ++i) {
        const double middle = middle_as_defined(y, i), most = 3 * noise.point;
        ASSERT_EQ(noise.clipped[i], std::clamp(y[i], middle - most, middle + most));
      }
      double long_run = kLeastNoise;
      for (const std::size_t m : {2UL, 4UL, 8UL, std::min(16UL, n / 6), 24UL, 32UL}) {
        long_run =
            n >= 6 * m && m > 1 ? std::max(long_run, block_noise_as_defined(y, m)) : long_run;
      }
      const Cut cut = CutFinder(n, 5).best(cumulative_sums(y), 0);
      if (n < 20 || cut.explained < 9 * long_run * long_run) {  // else it is taken out
        EXPECT_NEAR(long_run_noise(y, kLeastNoise), long_run, 1e-12);
      }
    }
  }
}

/// Of a first-order autoregression the mean of many points errs sqrt((1 + phi) / (1 - phi)) times
/// as much as of independent ones: 3 for phi = 0.8; blocks of 32 points see nine tenths of that.
TEST(LongRunNoise, ExceedsPointNoiseForCorrelatedNeighbours) {
  std::mt19937_64 random(6);
  std::normal_distribution<double> shock(0, 0.006);
  std::vector<double> y(20'000);
  for (std::size_t i = 1; i < y.size(); ++i) {
    y[i] = 0.8 * y[i - 1] + shock(random);
  }
  EXPECT_NEAR(long_run_noise(y, kLeastNoise), 0.03, 0.006);
  EXPECT_GT(noise_levels(y).long_run, 2 * noise_levels(y).neighbour);
}

/// Few blocks: what they tell errs by little more than a third, where their medians err by half.
TEST(LongRunNoise, IsEstimatedWellByFewBlocks) {
  std::mt19937_64 random(8);
  double sum = 0, squares = 0;
  constexpr int kFewReplicas = 400;
  for (int replica = 0; replica < kFewReplicas; ++replica) {
    const double noise =
        long_run_noise(noise_of(Nature::white, 120, 0.01, random), kLeastNoise) / 0.01;
    sum += noise / kFewReplicas;
    squares += noise * noise / kFewReplicas;
  }
  EXPECT_LT(sum, 1.22);
  EXPECT_LT(std::sqrt(squares - sum * sum), 0.17);
}

TEST(LongRunNoise, IsNotRaisedByAStep) {
  std::mt19937_64 random(7);
  double level = 0, stepped = 0;
  for (int replica = 0; replica < 50; ++replica) {
    std::vector<double> y = noise_of(Nature::white, 120, 0.01, random);
    level += long_run_noise(y, kLeastNoise) / 50;
    for (std::size_t i = 60; i < y.size(); ++i) {
      y[i] += 0.1;
    }
    stepped += long_run_noise(y, kLeastNoise) / 50;
  }
  EXPECT_NEAR(stepped, level, 0.1 * level);
}

}  // namespace
}  // namespace perf::test
