#include "tests/analyzer/trend/tail_histories.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "schema/side_stats.h"

namespace perf::scripted {
namespace {

constexpr int kProcesses = 3;
constexpr double kSlowSteps = 0.15;
constexpr std::size_t kNear = 8;

/// Sorted, about 1.
std::vector<double> steps_of(Slow slow, std::size_t count, double size, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::exponential_distribution<double> delay;
  std::uniform_real_distribution<double> even;
  std::vector<double> steps(count);
  for (double& step : steps) {
    step = slow == Slow::spread ? std::exp(size * normal(random))
                                : std::exp(0.01 * normal(random)) +
                                      (even(random) < kSlowSteps ? size * delay(random) : 0);
  }
  std::ranges::sort(steps);
  return steps;
}

}  // namespace

RecordedSeries& add_tails(History& history, const Tails& of, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  const std::vector<double> levels = test::noise_of(of.nature, of.points, of.level, random);
  const std::vector<double> sizes = test::noise_of(of.nature, of.points, of.of_tails, random);
  RecordedSeries& series = add_series(history, "w" + std::to_string(seed), {});
  for (std::uint32_t commit = 0; commit < of.points; ++commit) {
    const bool is_after = commit >= of.at;
    const double between = of.between * (is_after ? of.louder : 1);
    const double size = of.size * std::exp(sizes[commit]) * (is_after ? of.grows : 1);
    for (int process = 0; process < kProcesses; ++process) {
      const std::vector<double> steps = steps_of(of.slow, of.steps, size, random);
      const double level = 0.1 * (1 + (is_after ? of.change : 0)) *
                           std::exp(levels[commit] + between * normal(random));
      const double median = quantile(steps, 0.5);
      series.values.push_back(
          {commit, 0, 0, static_cast<float>(quantile(steps, 0.9) / median), level * median});
    }
  }
  return series;
}

TailScore score_tails(const Tails& of, int series, std::uint64_t seed) {
  History history = history_of(of.points);
  for (int i = 0; i < series; ++i) {
    add_tails(history, of, seed + static_cast<std::uint64_t>(i));
  }
  TailScore score;
  for (const TrendSeries& one : report_on(history).series) {
    const auto is_there = [&](const ChangePoint& tail) {
      return tail.index <= of.at + kNear && of.at <= tail.index + kNear;
    };
    score.found += std::ranges::any_of(one.tails, is_there) ? 1 : 0;
    score.others += std::ranges::all_of(one.tails, is_there) ? 0 : 1;
    score.tails += one.tails.size();
  }
  return score;
}

}  // namespace perf::scripted
