#include "tests/analyzer/detector/noise_histories.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/detector/change_points.h"

namespace perf::test {
namespace {

double between(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

std::vector<double> of_shared_runners(std::mt19937_64& random) {
  const auto points = static_cast<std::size_t>(between(random, 100, 201));
  std::vector<double> noise = noise_of(Nature::white, points, 0.04, random);
  for (double& one : noise) {
    one += between(random, 0, 1) < 0.25 ? std::log(between(random, 1.15, 1.6)) : 0;
  }
  return noise;
}

}  // namespace

Planted moved_suite(const Move& move, std::mt19937_64& random) {
  const std::vector<double> noisy = of_shared_runners(random);
  std::vector<double> noise =
      noise_of(Nature::white, move.before + move.after, between(random, 0.005, 0.015), random);
  const std::size_t step = move.before + (move.noisy_first ? noisy.size() : 0);
  noise.insert(move.noisy_first ? noise.begin() : noise.end(), noisy.begin(), noisy.end());
  const double change = between(random, 0.05, 0.15);
  if (move.after == 0) {
    return {times(noise), {}};
  }
  return {times(noise, step, between(random, 0, 1) < 0.5 ? change : 1 / (1 + change) - 1), {step}};
}

Planted step_behind(const Plateau& plateau, std::mt19937_64& random) {
  constexpr double kNoise = 0.05;
  constexpr std::size_t kAfter = 12;
  std::vector<double> noise =
      noise_of(Nature::white, plateau.first + plateau.points + kAfter, kNoise, random);
  const std::size_t step = plateau.first + plateau.points;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    noise[i] += i < plateau.first ? -std::log(17) : i < step ? 0 : plateau.deviations * kNoise;
  }
  return {times(noise), {step}};
}

double share_behind(const Plateau& plateau, int replicas, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::size_t near = std::min<std::size_t>(5, plateau.points - 1);
  int found = 0;
  for (int replica = 0; replica < replicas; ++replica) {
    const Planted planted = step_behind(plateau, random);
    const std::size_t step = planted.steps.front();
    bool is_found = false, is_first_found = plateau.first == 0;
    for (const FoundStep& one : find_steps(planted.values)) {
      is_found |= one.index <= step + near && step <= one.index + near;
      is_first_found |= one.index == plateau.first;
    }
    found += is_found && is_first_found ? 1 : 0;
  }
  return static_cast<double>(found) / replicas;
}

double share_of_both_like_lrzip(int replicas, std::uint64_t seed) {
  struct Level {
    int points;
    double low, high;
  };
  std::mt19937_64 random(seed);
  int both = 0;
  for (int replica = 0; replica < replicas; ++replica) {
    std::vector<double> values;
    for (const Level& level : {Level{12, .07, .17}, Level{5, 1.04, 1.28}, Level{12, 1.83, 2.41}}) {
      for (int i = 0; i < level.points; ++i) {
        values.push_back(std::round(100 * between(random, level.low, level.high)) / 100);
      }
    }
    const std::vector<FoundStep> found = find_steps(values);
    both += found.size() == 2 && found[0].index == 12 && found[1].index == 17 ? 1 : 0;
  }
  return static_cast<double>(both) / replicas;
}

}  // namespace perf::test
