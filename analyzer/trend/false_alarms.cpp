#include "analyzer/trend/false_alarms.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

#include "analyzer/detector/centre_and_spread.h"
#include "analyzer/detector/change_points.h"
#include "analyzer/trend/parallel_loop.h"

namespace perf {
namespace {

constexpr std::uint64_t kSeed = 20260101;
constexpr std::size_t kFewestPoints = 8;     ///< below that there is no step to be found
constexpr std::uint64_t kMostReplays = 400;  ///< of one series
constexpr std::size_t kShortestBlock = 5;

/// ln(value) less the median of its segment; empty where a value is not positive.
std::vector<double> residuals(const TrendSeries& series) {
  std::vector<double> y;
  for (const TrendPoint& point : series.points) {
    if (!(point.value > 0))
      return {};
    y.push_back(std::log(point.value));
  }
  for (std::size_t i = 0, begin = 0; i <= series.change_points.size(); ++i) {
    const bool is_last = i == series.change_points.size();
    const std::size_t end = is_last ? y.size() : series.change_points[i].index;
    std::vector<double> segment(y.begin() + static_cast<std::ptrdiff_t>(begin),
                                y.begin() + static_cast<std::ptrdiff_t>(end));
    const double centre = median_in_place(segment);
    for (std::size_t k = begin; k < end; ++k)
      y[k] -= centre;
    begin = end;
  }
  return y;
}

/// Longer than the n^(1/3) that is best for the error of a mean: what raises alarms is modes and
/// loud stretches that last for dozens of points, and blocks shorter than those take them apart. In
/// docs/history.md is what this length tells of noises whose rate is known.
std::size_t block_length(std::size_t points) {
  return std::max(kShortestBlock,
                  static_cast<std::size_t>(2 * std::sqrt(static_cast<double>(points))));
}

std::vector<double> replay_of(const std::vector<double>& noise, std::mt19937_64& random) {
  const std::size_t n = noise.size();
  const std::size_t block = block_length(n);
  std::vector<double> values;
  values.reserve(n);
  while (values.size() < n) {
    const std::size_t begin = random() % n;
    for (std::size_t k = 0; k < block && values.size() < n; ++k)
      values.push_back(std::exp(noise[(begin + k) % n]));
  }
  return values;
}

/// What the replays of one series came to.
struct Replayed {
  std::uint64_t points = 0, alarms = 0, series = 0, alarmed = 0;
};

Replayed replayed(const TrendSeries& series, std::uint64_t seed, std::uint64_t replays) {
  Replayed result;
  const std::vector<double> noise = residuals(series);
  if (noise.empty())
    return result;
  std::mt19937_64 random(kSeed + seed);
  for (std::uint64_t i = 0; i < replays; ++i) {
    const std::size_t alarms = find_steps(replay_of(noise, random)).size();
    result.points += noise.size();
    result.alarms += alarms;
    ++result.series;
    result.alarmed += alarms > 0 ? 1 : 0;
  }
  return result;
}

}  // namespace

FalseAlarmRate false_alarm_rate(const std::vector<MeasuredSeries>& series, const Policy& policy) {
  std::vector<const TrendSeries*> noisy;
  std::uint64_t points = 0;
  for (const MeasuredSeries& one : series) {
    if (!may_alert(one.series, policy) || one.series.points.size() < kFewestPoints)
      continue;
    noisy.push_back(&one.series);
    points += one.series.points.size();
  }
  FalseAlarmRate rate;
  if (noisy.empty())
    return rate;
  // Few points: each series several times. Many: one series in `stride`, once.
  const std::uint64_t replays =
      std::clamp<std::uint64_t>(kReplayedPoints / points, 1, kMostReplays);
  const std::size_t stride = std::max<std::size_t>(1, points / kReplayedPoints);
  std::vector<Replayed> results((noisy.size() + stride - 1) / stride);
  for_each_index(results.size(),
                 [&](std::size_t i) { results[i] = replayed(*noisy[i * stride], i, replays); });
  for (const Replayed& one : results) {
    rate.points += one.points;
    rate.alarms += one.alarms;
    rate.series += one.series;
    rate.alarmed += one.alarmed;
  }
  if (rate.points > 0)
    rate.per_1000_points =
        1000 * static_cast<double>(rate.alarms) / static_cast<double>(rate.points);
  rate.expected = rate.per_1000_points * static_cast<double>(points) / 1000;
  return rate;
}

}  // namespace perf
