#include "analyzer/statistics/shift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace perf {
namespace {

// Hollander & Wolfe, table 3.1 (Hamilton depression scale): T+ = 5, published estimate -0.46; the
// 96 % interval of their section 3.3 is (-0.786, -0.010).
const std::vector<double> kDepression{-0.952, 0.147,  -1.022, -0.430, -0.620,
                                      -0.590, -0.490, 0.080,  -0.010};

TEST(Shift, GivesThePublishedExample) {
  const auto shift = estimate_shift(kDepression, 0.04);
  ASSERT_TRUE(shift);
  EXPECT_NEAR(shift->estimate, -0.46, 1e-9);
  EXPECT_NEAR(shift->low, -0.786, 1e-9);
  EXPECT_NEAR(shift->high, -0.010, 1e-9);
  EXPECT_NEAR(shift->p_value, 2 * 0.01953125, 1e-12);
}

TEST(Shift, IsNothingForTooFewDifferences) {
  EXPECT_FALSE(estimate_shift({}, 0.01));
  const std::vector<double> ten(10, 1.0);
  EXPECT_FALSE(estimate_shift(ten, 0.01 / 6));
  const std::vector<double> eleven(11, 1.0);
  EXPECT_TRUE(estimate_shift(eleven, 0.01 / 6));
}

TEST(Shift, HasTheSmallestPForUnanimousDifferences) {
  std::vector<double> differences;
  for (int i = 1; i <= 12; ++i) {
    differences.push_back(0.01 * i);
  }
  const auto shift = estimate_shift(differences, 0.01);
  ASSERT_TRUE(shift);
  EXPECT_DOUBLE_EQ(shift->p_value, std::ldexp(1, -11));
}

TEST(Shift, IsInsignificantForZeros) {
  const std::vector<double> zeros(20, 0.0);
  const auto shift = estimate_shift(zeros, 0.01);
  ASSERT_TRUE(shift);
  EXPECT_EQ(shift->estimate, 0);
  EXPECT_EQ(shift->low, 0);
  EXPECT_EQ(shift->high, 0);
  EXPECT_EQ(shift->p_value, 1);
}

// A p-value below the level exactly where the interval of that level excludes zero: one convention
// for ties and zeros in both.
TEST(Shift, HasAnIntervalThatAgreesWithP) {
  std::mt19937_64 engine(11);
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> differences(6 + engine() % 20);
    const bool coarse = round % 2 == 0;
    for (double& difference : differences) {
      difference = coarse ? static_cast<double>(engine() % 5) - 1.0
                          : static_cast<double>(engine() % 100'000) / 1e5 - 0.3;
    }
    const auto shift = estimate_shift(differences, 0.05);
    ASSERT_TRUE(shift);
    ASSERT_LE(shift->low, shift->estimate);
    ASSERT_LE(shift->estimate, shift->high);
    ASSERT_EQ(shift->p_value <= 0.05, shift->low > 0 || shift->high < 0);
  }
}

// Conservative under ties: differences on a coarse grid, symmetric about zero.
TEST(Shift, RarelyExcludesTheTruthOnAGrid) {
  std::mt19937_64 engine(12);
  int wrong = 0;
  const int rounds = 20'000;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> differences(12);
    for (double& difference : differences) {
      difference = static_cast<double>(engine() % 3) - 1.0;
    }
    const auto shift = estimate_shift(differences, 0.05);
    wrong += shift->low > 0 || shift->high < 0 ? 1 : 0;
  }
  EXPECT_LE(wrong, 0.05 * rounds);
}

// Covers as often as the exact level says: 12 pairs at 5 % give 1 - 2 P(T+ <= 13) = 0.9575.
TEST(Shift, CoversAsOftenAsPromised) {
  std::mt19937_64 engine(13);
  std::normal_distribution<double> normal(0.3, 1);
  int covered = 0;
  const int rounds = 20'000;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> differences(12);
    std::generate(differences.begin(), differences.end(), [&] { return normal(engine); });
    const auto shift = estimate_shift(differences, 0.05);
    covered += shift->low <= 0.3 && 0.3 <= shift->high ? 1 : 0;
  }
  const double expected = 1 - 2 * signed_rank_cdf(12, 13);
  EXPECT_NEAR(static_cast<double>(covered) / rounds, expected, 0.005);  // 3.5 sigma
}

std::vector<double> all_walsh_averages(const std::vector<double>& values) {
  std::vector<double> averages;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i; j < values.size(); ++j) {
      averages.push_back(0.5 * (values[i] + values[j]));
    }
  }
  std::sort(averages.begin(), averages.end());
  return averages;
}

void expect_same_as_brute_force(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::vector<double> expected = all_walsh_averages(values);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(walsh_order_statistic(values, static_cast<std::int64_t>(i) + 1), expected[i])
        << values.size() << " values, rank " << i + 1;
  }
  const std::size_t half = expected.size() / 2;
  const double middle =
      expected.size() % 2 == 1 ? expected[half] : 0.5 * (expected[half - 1] + expected[half]);
  ASSERT_EQ(hodges_lehmann(values), middle);
  for (const double value : {0.0, expected.front(), expected.back(), middle}) {
    const WalshSides sides = walsh_sides(values, value);
    ASSERT_EQ(sides.at_or_below,
              std::upper_bound(expected.begin(), expected.end(), value) - expected.begin());
    ASSERT_EQ(sides.at_or_above,
              expected.end() - std::lower_bound(expected.begin(), expected.end(), value));
  }
}

TEST(WalshAverages, AgreeWithBruteForce) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  for (std::size_t n = 1; n <= 30; ++n) {
    std::vector<double> values(n);
    std::generate(values.begin(), values.end(), [&] { return normal(engine); });
    expect_same_as_brute_force(values);
  }
}

TEST(WalshAverages, AgreeWithBruteForceUnderTies) {
  std::mt19937_64 engine(8);
  for (std::size_t n = 1; n <= 25; ++n) {
    std::vector<double> values(n);
    std::generate(values.begin(), values.end(),
                  [&] { return static_cast<double>(engine() % 4) - 1.0; });
    expect_same_as_brute_force(values);
  }
}

TEST(WalshAverages, EqualTheValueOfEqualValues) {
  expect_same_as_brute_force(std::vector<double>(20, 0.25));
  expect_same_as_brute_force({-3});
}

TEST(WalshAverages, SurviveHugeAndTinyValues) {
  expect_same_as_brute_force({-700, -700, 700, 1e-300, -1e-300, 0, 1e-290, 700, 12, -0.0});
}

TEST(WalshAverages, NeedLittleMemoryForManyValues) {
  std::mt19937_64 engine(9);
  std::normal_distribution<double> normal(3, 1);
  std::vector<double> values(200'000);  // 2e10 Walsh averages
  std::generate(values.begin(), values.end(), [&] { return normal(engine); });
  std::sort(values.begin(), values.end());
  // Standard error of the estimate: sqrt(pi / 3 / n) = 0.0023.
  EXPECT_NEAR(hodges_lehmann(values), 3, 0.012);
}

}  // namespace
}  // namespace perf
