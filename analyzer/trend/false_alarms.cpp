#include "analyzer/trend/false_alarms.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/internal.h"
#include "analyzer/trend/trend_series.h"

namespace perf {
namespace {

constexpr std::uint64_t kReplaySeed = 20260101;
constexpr std::size_t kFewestToSearch = 8;         ///< below that there is no step to be found
constexpr std::uint64_t kMostReplays = 400;        ///< of one series
constexpr std::uint64_t kMostNightlyReplays = 50;  ///< of one series
constexpr std::size_t kShortestBlock = 5;

/// Longer than the n^(1/3) that is best for the error of a mean: what raises alarms is modes and
/// loud stretches that last for dozens of points, and blocks shorter than those take them apart. In
/// docs/trend.md is what this length gives for noises whose rate is known.
std::size_t block_length(std::size_t points) {
  return std::max(kShortestBlock,
                  static_cast<std::size_t>(2 * std::sqrt(static_cast<double>(points))));
}

std::vector<double> replay_of(const std::vector<double>& noise, std::size_t points,
                              std::mt19937_64& random) {
  const std::size_t n = noise.size();
  const std::size_t block = block_length(n);
  std::vector<double> values;
  values.reserve(points);
  while (values.size() < points) {
    const std::size_t begin = random() % n;
    for (std::size_t k = 0; k < block && values.size() < points; ++k) {
      values.push_back(std::exp(noise[(begin + k) % n]));
    }
  }
  return values;
}

/// Whether a step had gone again by the end of the values: a later one leads back, and less than
/// half of it is left.
bool is_over(const std::vector<FoundStep>& steps, std::size_t at,
             const std::vector<double>& values) {
  const double change = log_change(steps[at].change);
  const bool leads_back = std::ranges::any_of(
      std::span(steps).subspan(at + 1),
      [&](const FoundStep& later) { return (later.change > 0) != (change > 0); });
  if (!leads_back) {
    return false;
  }
  const auto level = [&](std::size_t begin, std::size_t end) {
    const auto part = std::span(values).subspan(begin, end - begin);
    return median({part.begin(), part.end()});
  };
  const std::size_t end = values.size();
  const double now = level(std::max(steps.back().index, end - std::min(end, kLevelPoints)), end);
  const double left = std::log(now / level(steps[at].left_begin, steps[at].index));
  return std::abs(left) < std::abs(change) / 2;
}

/// What looking every night at a replay of one series came to: looks after each of the points
/// [first, end of replay), and before them.
FalseAlarmRate nightly_alarms_of(const std::vector<double>& replay, std::size_t first,
                                 const Metric& metric) {
  FalseAlarmRate nights;
  std::vector<std::size_t> seen;
  std::vector<double> values(replay.begin(), replay.begin() + static_cast<std::ptrdiff_t>(first));
  const auto look = [&] {
    std::uint64_t fresh = 0;
    const std::vector<FoundStep> steps = find_steps(values);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::size_t at = steps[i].index;
      const bool is_known = std::ranges::any_of(
          seen, [at](std::size_t other) { return at <= other + kWobble && other <= at + kWobble; });
      if (!is_known && is_worse(metric, steps[i].change) && !is_over(steps, i, values)) {
        seen.push_back(at);
        ++fresh;
      }
    }
    return fresh;
  };
  look();
  for (std::size_t night = first; night < replay.size(); ++night) {
    values.push_back(replay[night]);
    nights.nightly_alarms += look();
    ++nights.nightly_points;
  }
  return nights;
}

std::size_t first_night(std::size_t stretch) {
  return stretch - std::min(stretch, kNightsSearched);
}

/// One search costs as much as kSearchCost points, and its points.
std::uint64_t points_searched(std::size_t stretch) {
  constexpr std::uint64_t kSearchCost = 20;
  const std::uint64_t first = first_night(stretch);
  return (stretch - first) * (kSearchCost + (first + stretch) / 2);
}

double per_1000(std::uint64_t alarms, std::uint64_t points) {
  return points == 0 ? 0 : 1000 * static_cast<double>(alarms) / static_cast<double>(points);
}

/// Of the weakest steps that are found, per 1,000 points; in which evidence that is; and with how
/// much more of it they are half as many.
constexpr double kFalseAlarmsOfWeakest = 0.6, kWeakest = 2.8, kHalfAsMany = 1.3;

}  // namespace

/// Half of the sample goes when it has become twice as long as it need be.
void NoiseSample::add(const TrendSeries& series) {
  const std::size_t points = series.points.size();
  if (!may_alert(series, policy_) || points < kFewestToSearch) {
    return;
  }
  points_ += points;
  if (series_++ % stride_ != 0) {
    return;
  }
  sample_.push_back({residuals(series), points, series.metric});
  held_ += points;
  if (held_ < 2 * kReplayedPoints || sample_.size() == 1) {
    return;
  }
  stride_ *= 2;
  held_ = 0;
  for (std::size_t i = 0; 2 * i < sample_.size(); ++i) {
    std::swap(sample_[i], sample_[2 * i]);
    held_ += sample_[i].points;
  }
  sample_.resize((sample_.size() + 1) / 2);
}

/// What the replays of one series came to.
FalseAlarmRate NoiseSample::replayed(std::size_t which, std::uint64_t replays) const {
  FalseAlarmRate result;
  const std::vector<double>& noise = sample_[which].values;
  if (noise.size() < kFewestToSearch) {
    return result;
  }
  std::mt19937_64 random(kReplaySeed + which);
  for (std::uint64_t i = 0; i < replays; ++i) {
    const std::size_t alarms = find_steps(replay_of(noise, noise.size(), random)).size();
    result.points += noise.size();
    result.alarms += alarms;
    ++result.series;
    result.alarmed += alarms > 0 ? 1 : 0;
  }
  return result;
}

void NoiseSample::add_nights(FalseAlarmRate& rate) const {
  const auto stretch_of = [](const Noise& one) { return std::min(one.points, kNightlyStretch); };
  std::uint64_t once = 0;
  for (const Noise& one : sample_) {
    once += points_searched(stretch_of(one));
  }
  const std::size_t replays = std::clamp<std::uint64_t>(kNightlySearched * sample_.size() / once, 1,
                                                        kMostNightlyReplays * sample_.size());
  std::vector<FalseAlarmRate> results(replays);
  for_each_index(replays, [&](std::size_t i) {
    const Noise& one = sample_[i * sample_.size() / replays];
    if (one.values.size() < kFewestToSearch) {
      return;
    }
    std::mt19937_64 random(kReplaySeed + i);
    const std::size_t stretch = stretch_of(one);
    results[i] =
        nightly_alarms_of(replay_of(one.values, stretch, random), first_night(stretch), one.metric);
  });
  for (const FalseAlarmRate& one : results) {
    rate.nightly_points += one.nightly_points;
    rate.nightly_alarms += one.nightly_alarms;
  }
  rate.per_1000_points_nightly = per_1000(rate.nightly_alarms, rate.nightly_points);
}

FalseAlarmRate NoiseSample::rate() const {
  FalseAlarmRate rate;
  if (sample_.empty()) {
    return rate;
  }
  const std::uint64_t replays =
      std::clamp<std::uint64_t>(kReplayedPoints / points_, 1, kMostReplays);
  std::vector<FalseAlarmRate> results(sample_.size());
  for_each_index(results.size(), [&](std::size_t i) { results[i] = replayed(i, replays); });
  for (const FalseAlarmRate& one : results) {
    rate.points += one.points;
    rate.alarms += one.alarms;
    rate.series += one.series;
    rate.alarmed += one.alarmed;
  }
  rate.per_1000_points = per_1000(rate.alarms, rate.points);
  rate.expected = rate.per_1000_points * static_cast<double>(points_) / 1000;
  add_nights(rate);
  return rate;
}

double false_alarms_as_clear(double evidence) {
  return std::max(
      kFalseAlarmsOfWeakest * std::exp2(std::min(kWeakest - evidence, 0.0) / kHalfAsMany),
      kLeastFalseAlarms);
}

}  // namespace perf
