#include "analyzer/trend/common_noise.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "analyzer/detector/change_points.h"
#include "analyzer/detector/internal.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/internal.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

constexpr double kFarthestOfSeries = 2;      ///< deviations of a series that count
constexpr std::size_t kFewestCommon = 50;    ///< nights
constexpr std::size_t kNightsInCommon = 30;  ///< a step is reported for so many
constexpr double kPlaced = 0.95;             ///< of the probability of its place

constexpr std::size_t kWindow = 4;   ///< nights on either side of a sudden step
constexpr double kSudden = 3.7;      ///< deviations of such a difference elsewhere,
constexpr double kOfFewWindows = 4;  ///< times 1 + this / windows that do not overlap
constexpr double kFewestWindows = 3;
constexpr double kSuddenThere = 4;       ///< standard errors by the nights of both windows
constexpr double kOutlierOfNights = 4;   ///< deviations of a night
constexpr std::size_t kWidestPlace = 7;  ///< nights that a step may begin at

/// The difference of the means of so many points after `at` and before it.
double difference_at(std::span<const double> sums, std::size_t at, std::size_t after) {
  return (sums[at + after] - sums[at]) / static_cast<double>(after) -
         (sums[at] - sums[at - kWindow]) / static_cast<double>(kWindow);
}

/// Of the difference of two windows' means, by the points in them.
double error_there(std::span<const double> before, std::span<const double> after) {
  const double b = static_cast<double>(before.size()), a = static_cast<double>(after.size());
  const double squares = squares_about(before, mean(before)) + squares_about(after, mean(after));
  return std::sqrt(squares / (b + a - 2) * (1 / b + 1 / a));
}

/// Whether y changes there as it changes nowhere else, known steps aside.
bool is_sudden(std::span<const double> y, std::size_t step, const std::vector<FoundStep>& steps) {
  const std::size_t after = std::min(kWindow, y.size() - step);
  if (step < kWindow) {
    return false;
  }
  const std::vector<double> sums = cumulative_sums(y);
  double squares = 0, count = 0;
  for (std::size_t at = kWindow; at + after <= y.size(); ++at) {
    const bool is_free = std::ranges::none_of(steps, [&](const FoundStep& one) {
      return at < one.index + kWindow && one.index < at + after;
    });
    if (is_free) {
      const double difference = difference_at(sums, at, after);
      squares += difference * difference;
      ++count;
    }
  }
  // Neighbouring windows share most of their points: two thirds of their length is one of its own.
  const double windows = count / (2.0 / 3 * static_cast<double>(kWindow + after));
  const double difference = std::abs(difference_at(sums, step, after));
  return windows >= kFewestWindows &&
         difference >= kSudden * (1 + kOfFewWindows / windows) * std::sqrt(squares / count) &&
         difference >=
             kSuddenThere * error_there(y.subspan(step - kWindow, kWindow), y.subspan(step, after));
}

/// Whether the level after a step is a new one: each night before it that was as slow, or fast, and
/// an outlier of its own level, makes the step wait for four more, because slow nights come again.
bool is_new_level(std::span<const double> y, const FoundStep& step) {
  const std::span<const double> before = y.subspan(step.left_begin, step.index - step.left_begin);
  const std::span<const double> after = y.subspan(step.index, step.right_end - step.index);
  const CentreAndSpread level = centre_and_spread(before);
  const double half = std::abs(centre_and_spread(after).centre - level.centre) / 2;
  const double far = std::max(half, kOutlierOfNights * std::max(level.spread, kLeastNoise));
  const auto as_far = std::ranges::count_if(before, [&](double one) {
    return (step.change > 0 ? one - level.centre : level.centre - one) >= far;
  });
  return after.size() >= kFewestPoints + kWindow * static_cast<std::size_t>(as_far);
}

}  // namespace

bool is_in_common(const TrendSeries& series, const Policy& policy) {
  return series.key.anchor.empty() && series.are_ratios && may_alert(series, policy) &&
         may_be_the_machines(series);
}

void CommonNoise::add(const TrendSeries& series) {
  if (!is_in_common(series, policy_) || series.points.size() < kFewestInCommon) {
    return;
  }
  Group& group = groups_[{series.key.fingerprint, series.key.host, series.key.metric}];
  const double noise = std::max(series.noise, kLeastNoise);
  ++group.series;
  group.precision += 1 / noise;
  group.at.resize(std::max<std::size_t>(group.at.size(), series.points.back().commit + 1));
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= series.change_points.size(); ++i) {
    const std::size_t end =
        i < series.change_points.size() ? series.change_points[i].index : series.points.size();
    const double level = level_of(series, begin, end);
    for (; begin < end; ++begin) {
      const TrendPoint& point = series.points[begin];
      if (std::isfinite(point.value) && point.value > 0) {
        Sum& sum = group.at[point.commit];
        sum.value += static_cast<float>(std::clamp(std::log(point.value / level) / noise,
                                                   -kFarthestOfSeries, kFarthestOfSeries));
        ++sum.series;
      }
    }
  }
}

std::vector<CommonNoise::Key> CommonNoise::keys() const {
  return mapped(groups_, [](const auto& group) { return group.first; });
}

std::vector<CommonNoise::Night> CommonNoise::nights(const Key& key) const {
  const Group& group = groups_.at(key);
  const double unit = static_cast<double>(group.series) / group.precision;
  std::vector<Night> nights;
  for (std::uint32_t commit = 0; commit < group.at.size(); ++commit) {
    if (const Sum& sum = group.at[commit]; sum.series >= kFewestInCommon) {
      nights.push_back({commit, unit * sum.value / sum.series});
    }
  }
  return nights;
}

std::vector<CommonStep> common_steps(const std::vector<CommonNoise::Night>& nights) {
  std::vector<double> y = mapped(nights, &CommonNoise::Night::value);
  if (y.size() < kFewestCommon) {
    return {};
  }
  std::vector<double> values(y.size());
  std::ranges::transform(y, values.begin(), [](double one) { return std::exp(one); });
  const std::vector<FoundStep> steps = find_steps(values);
  const NoiseLevels noise = noise_levels(y);
  const double spread = std::max(1.0, noise.long_run / noise.neighbour);
  std::vector<CommonStep> found;
  for (const FoundStep& step : steps) {
    if (step.index + kNightsInCommon < y.size() || !is_sudden(y, step.index, steps) ||
        !is_new_level(y, step)) {
      continue;
    }
    const StepInterval place = step_interval(y, step.left_begin, step.index, step.right_end,
                                             noise.neighbour, spread, kPlaced);
    if (place.last - place.first < kWidestPlace) {
      found.push_back({nights[place.first - 1].commit, nights[place.first].commit,
                       nights[place.last].commit, nights[step.index].commit,
                       nights[step.right_end - 1].commit, step.change > 0, step.z});
    }
  }
  return found;
}

}  // namespace perf
