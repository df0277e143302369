#include <algorithm>
#include <cmath>
#include <optional>

#include "reporter/trend/histories.h"
#include "reporter/trend/series_values.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kSlopePieces = 16;  ///< a slope per point bends where commits were left out

/// Noise of the level that begins with change point `number`; 0: the one before all of them.
double noise_of(const TrendSeries& series, std::size_t number) {
  double noise = 0;
  if (!series.change_points.empty()) {
    noise = number == 0 ? series.change_points.front().noise_before
                        : series.change_points[number - 1].noise_after;
  }
  return std::isfinite(noise) && noise > 0 ? noise : series.noise;
}

/// Where the level that begins with change point `number` ends: at the next one, or where the slope
/// begins, which is no level.
std::size_t end_of(const TrendSeries& series, std::size_t number, std::size_t begin) {
  if (number < series.change_points.size()) {
    return series.change_points[number].index;
  }
  const bool level_before = series.trend && series.trend->begin > begin + 1;
  return level_before ? series.trend->begin : series.points.size();
}

void add_slope(const Histories& histories, const TrendSeries& series, SeriesHistory& history) {
  const std::size_t begin = std::min(series.trend->begin, series.points.size());
  const std::size_t end = std::min(series.trend->end, series.points.size());
  const std::optional<double> level = begin < end ? median_of(series, begin, end) : std::nullopt;
  if (!level || end - begin < 2 || !(series.trend->per_commit > -1)) {
    return;
  }
  const double middle = static_cast<double>(begin + end - 1) / 2;
  const std::size_t pieces = std::min(kSlopePieces, end - begin - 1);
  for (std::size_t piece = 0; piece <= pieces; ++piece) {
    const std::size_t i = begin + (end - 1 - begin) * piece / pieces;
    const double steps = static_cast<double>(i) - middle;
    history.slope.push_back({histories.position(series.points[i].commit),
                             *level * std::exp(steps * std::log1p(series.trend->per_commit))});
  }
}

}  // namespace

void add_levels(const Histories& histories, const TrendSeries& series, SeriesHistory& history) {
  std::size_t begin = 0;
  for (std::size_t number = 0; number <= series.change_points.size(); ++number) {
    const std::size_t end = std::min(end_of(series, number, begin), series.points.size());
    if (const std::optional<double> level = median_of(series, begin, end)) {
      history.levels.push_back({histories.position(series.points[begin].commit),
                                histories.position(series.points[end - 1].commit), *level,
                                noise_of(series, number)});
    }
    begin = std::max(begin, end);
  }
  if (series.trend) {
    add_slope(histories, series, history);
  }
}

}  // namespace perf::reporter
