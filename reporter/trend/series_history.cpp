#include "reporter/trend/series_history.h"

#include <algorithm>
#include <cmath>

namespace perf::reporter {
namespace {

constexpr double kNoises = 4;          ///< around a level: beyond it a point is an outlier
constexpr double kDrawnNoises = 2;     ///< what pictures show of it
constexpr double kLeastNoise = 0.001;  ///< as the detector's
constexpr double kRoomForAll = 3;      ///< the levels keep a third of the height

ValueRange around(const ValueRange& range, double value) {
  return {std::min(range.low, value), std::max(range.high, value)};
}

ValueRange of_points(const std::vector<HistoryPoint>& points) {
  const auto [low, high] = std::ranges::minmax(points, {}, &HistoryPoint::value);
  return {low.value, high.value};
}

ValueRange of_levels(const SeriesHistory& history, double noises) {
  const double first = history.levels.front().value;
  ValueRange range{first, first};
  for (const HistoryLevel& level : history.levels) {
    const double noise = noises * std::max(level.noise, kLeastNoise) * std::abs(level.value);
    range = around(around(range, level.value - noise), level.value + noise);
  }
  return range;
}

double span(const ValueRange& range) {
  return range.high - range.low;
}

}  // namespace

ValueRange value_range(const SeriesHistory& history) {
  if (history.points.empty()) {
    return {0, 1};
  }
  ValueRange range = of_points(history.points);
  if (!history.levels.empty()) {
    const ValueRange levels = of_levels(history, kNoises);
    if (span(levels) > 0 && span(range) > kRoomForAll * span(levels)) {
      range = levels;
    } else {
      const ValueRange bands = of_levels(history, kDrawnNoises);
      range = around(around(range, bands.low), bands.high);
    }
  }
  if (!history.beside.empty()) {
    const ValueRange others = of_points(history.beside);
    const ValueRange all = around(around(range, others.low), others.high);
    if (span(all) <= kRoomForAll * span(range)) {
      range = all;
    }
  }
  return range;
}

}  // namespace perf::reporter
