#include "analyzer/trend/points_wanted.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "analyzer/detector/change_points.h"

namespace perf {
namespace {

constexpr std::size_t kMostPoints = 100;
constexpr std::size_t kAfter = 4;  ///< points after the step
constexpr int kReplicas = 20;
constexpr int kFoundIn = 16;
constexpr std::uint32_t kWantedSeed = 20260131;

/// A standard normal number after Box & Muller (Ann. Math. Stat. 29, 1958): the standard library's
/// own distribution differs from one implementation to the next.
double normal(std::mt19937& random) {
  const double scale = 1.0 / (static_cast<double>(std::mt19937::max()) + 2);
  const double radius = (static_cast<double>(random()) + 1) * scale;
  const double angle = (static_cast<double>(random()) + 1) * scale;
  return std::sqrt(-2 * std::log(radius)) * std::cos(2 * std::numbers::pi * angle);
}

bool is_found(std::size_t points, double noise, double change, std::mt19937& random) {
  std::vector<double> values;
  for (std::size_t i = 0; i < points; ++i) {
    values.push_back(std::exp(noise * normal(random)) * (i + kAfter < points ? 1 : 1 + change));
  }
  return !find_steps(values).empty();
}

}  // namespace

std::size_t points_wanted(double noise, double change) {
  for (std::size_t points = 2 * kAfter; points <= kMostPoints; ++points) {
    std::mt19937 random(kWantedSeed);
    int found = 0;
    for (int i = 0; i < kReplicas; ++i) {
      found += is_found(points, noise, change, random);
    }
    if (found >= kFoundIn) {
      return points;
    }
  }
  return 0;
}

}  // namespace perf
