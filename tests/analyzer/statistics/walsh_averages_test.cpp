#include "analyzer/statistics/walsh_averages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace perf {
namespace {

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

TEST(WalshAverages, OfEqualValuesAreThatValue) {
  expect_same_as_brute_force(std::vector<double>(20, 0.25));
  expect_same_as_brute_force({-3});
}

TEST(WalshAverages, SurviveHugeAndTinyValues) {
  expect_same_as_brute_force({-700, -700, 700, 1e-300, -1e-300, 0, 1e-290, 700, 12, -0.0});
}

TEST(WalshAverages, OfManyValuesAreFoundWithoutLayingThemOut) {
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
