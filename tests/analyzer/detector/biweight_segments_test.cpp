#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "analyzer/detector/change_points.h"

namespace perf {
namespace {

double loss(double distance) {
  return std::min(distance * distance, 9.0);
}

/// The least cost of one level: at the mean of some of the points, those within 3 of it. All sets
/// of neighbours in order of size are tried.
double level_cost(std::vector<double> y) {
  std::sort(y.begin(), y.end());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (std::size_t j = i; j < y.size(); ++j) {
      sum += y[j];
      const double level = sum / static_cast<double>(j - i + 1);
      double cost = 0;
      for (const double value : y) {
        cost += loss(value - level);
      }
      least = std::min(least, cost);
    }
  }
  return least;
}

/// The definition, by trying every last change: quadratic in the number of points, times the above.
double least_cost(const std::vector<double>& y) {
  const double penalty = 3 * std::log(static_cast<double>(y.size()));
  std::vector<double> least(y.size() + 1, -penalty);
  for (std::size_t end = 1; end <= y.size(); ++end) {
    least[end] = std::numeric_limits<double>::infinity();
    for (std::size_t begin = 0; begin < end; ++begin) {
      least[end] =
          std::min(least[end], least[begin] + penalty +
                                   level_cost({y.begin() + static_cast<std::ptrdiff_t>(begin),
                                               y.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
  }
  return least.back();
}

double cost_of(const std::vector<double>& y, const std::vector<std::size_t>& changes) {
  double cost = 3 * std::log(static_cast<double>(y.size())) * static_cast<double>(changes.size());
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const std::size_t end = i < changes.size() ? changes[i] : y.size();
    cost += level_cost({y.begin() + static_cast<std::ptrdiff_t>(begin),
                        y.begin() + static_cast<std::ptrdiff_t>(end)});
    begin = end;
  }
  return cost;
}

TEST(BiweightSegments, HaveTheLeastCost) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise;
  std::uniform_real_distribution<double> chance(0, 1);
  int changes = 0;
  for (int replica = 0; replica < 60; ++replica) {
    std::vector<double> y(30);
    double level = 0;
    for (double& value : y) {
      if (chance(random) < 0.1) {
        level = 8 * noise(random);
      }
      value = level + noise(random) + (chance(random) < 0.1 ? 20 : 0);
    }
    const std::vector<std::size_t> found = biweight_segments(y, 1);
    changes += static_cast<int>(found.size());
    EXPECT_NEAR(cost_of(y, found), least_cost(y), 1e-6) << replica;
  }
  EXPECT_GT(changes, 60) << "or there was nothing to find";
}

TEST(BiweightSegments, GiveOutliersNoLevel) {
  std::vector<double> y(100, 1.0);
  y[20] = 1000;
  y[50] = -1000;
  EXPECT_TRUE(biweight_segments(y, 0.01).empty());
  std::fill(y.begin() + 70, y.end(), 1.1);
  EXPECT_EQ(biweight_segments(y, 0.01), std::vector<std::size_t>{70});
}

TEST(BiweightSegments, AreEmptyForOneValueOrNone) {
  EXPECT_TRUE(biweight_segments({}, 1).empty());
  EXPECT_TRUE(biweight_segments(std::vector<double>{3.0}, 1).empty());
}

}  // namespace
}  // namespace perf
