#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <vector>

#include "analyzer/statistics/pair_order.h"

namespace perf {
namespace {

/// x_i = rho x_{i-1} + noise.
std::vector<double> autoregressive(double rho, int count, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal(0, 0.01);
  std::vector<double> values;
  double value = 0;
  for (int i = 0; i < count; ++i) {
    value = rho * value + normal(engine);
    values.push_back(value);
  }
  return values;
}

TEST(PairNoise, MeasuresKnownDifferences) {
  const std::vector<double> differences{-0.02, 0.01, 0.00, 0.03, 0.01};
  const PairNoise noise = pair_noise(differences);
  // Median 0.01, distances 0.03 0 0.01 0.02 0: their median 0.01.
  EXPECT_NEAR(noise.robust_sd, 0.014826, 1e-12);
  EXPECT_NEAR(noise.sd, std::sqrt(0.00132 / 4), 1e-12);  // mean 0.006
  EXPECT_NEAR(noise.worst, 0.03, 1e-12);
  EXPECT_NEAR(noise.p95, 0.028, 1e-12);  // of 0 .01 .01 .02 .03: 0.8 of the way to the last
  // Neighbours about 0.006: -.000104 - .000024 - .000144 + .000096 of .00132.
  EXPECT_NEAR(*noise.autocorrelation, -0.000176 / 0.00132, 1e-9);
}

TEST(PairNoise, IsAbsentWithoutPairs) {
  EXPECT_EQ(pair_noise({}).sd, 0);
  const PairNoise equal = pair_noise(std::vector<double>{0.0, 0.0, 0.0});
  EXPECT_EQ(equal.worst, 0);
  EXPECT_FALSE(equal.autocorrelation.has_value());
  EXPECT_EQ(block_length(equal, 3), 1);
}

TEST(PairNoise, SeparatesDependentFromIndependentPairs) {
  const std::vector<double> independent = autoregressive(0, 64, 1);
  const std::vector<double> dependent = autoregressive(0.8, 64, 1);
  EXPECT_EQ(block_length(pair_noise(independent), 64), 1);
  EXPECT_EQ(block_length(pair_noise(dependent), 64), 4);  // the cube root of 64
}

TEST(NoiseSource, DrawsSymmetricCentredDifferences) {
  const std::vector<double> differences{0.99, 1.00, 1.00, 1.02};  // far from 0, centre 1
  NoiseSource source(differences, 1, 42);
  std::vector<double> drawn(4000);
  source.draw(drawn);
  double sum = 0;
  for (const double value : drawn) {
    EXPECT_LE(std::abs(value), 0.0201);
    sum += value;
  }
  EXPECT_NEAR(sum / 4000, 0, 0.001);  // five standard errors of 0.011 / sqrt(4000)
}

TEST(NoiseSource, IsDeterministicAndSeeded) {
  const std::vector<double> differences = autoregressive(0, 20, 3);
  std::vector<double> first(50), again(50), other(50);
  NoiseSource(differences, 1, 7).draw(first);
  NoiseSource(differences, 1, 7).draw(again);
  NoiseSource(differences, 1, 8).draw(other);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
}

TEST(NoiseSource, KeepsNeighboursTogetherInBlocks) {
  std::vector<double> differences;
  for (int i = 0; i < 12; ++i) {
    differences.push_back(i);  // centre 5.5; neighbours differ by 1, the last and first by 11
  }
  std::vector<double> drawn(400);
  NoiseSource(differences, 4, 7).draw(drawn);
  std::set<double> steps;
  for (std::size_t i = 0; i < drawn.size(); i += 4) {
    for (std::size_t k = 1; k < 4; ++k) {
      steps.insert(drawn[i + k] - drawn[i + k - 1]);
    }
  }
  EXPECT_EQ(steps, (std::set<double>{-11, -1, 1, 11}));
}

}  // namespace
}  // namespace perf
