#include "analyzer/trend/series_levels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/detector/centre_and_spread.h"

namespace perf {

Scale scale_of(const TrendSeries& series) {
  const auto positive = std::count_if(series.points.begin(), series.points.end(),
                                      [](const TrendPoint& point) { return point.value > 0; });
  return 2 * static_cast<std::size_t>(positive) > series.points.size() ? Scale::log : Scale::linear;
}

double level_of(const TrendSeries& series, std::size_t begin, std::size_t end) {
  const bool are_ratios = scale_of(series) == Scale::log;
  std::vector<double> values;
  for (std::size_t i = begin; i < std::min(end, series.points.size()); ++i) {
    const double value = series.points[i].value;
    if (std::isfinite(value) && (value > 0 || !are_ratios)) {
      values.push_back(value);
    }
  }
  return median_in_place(values);
}

std::size_t last_segment(const TrendSeries& series) {
  return series.change_points.empty() ? 0 : series.change_points.back().index;
}

double present_level(const TrendSeries& series) {
  const std::size_t end = series.points.size();
  const std::size_t latest = end > kLevelPoints ? end - kLevelPoints : 0;
  return level_of(series, std::max(latest, last_segment(series)), end);
}

bool is_worse(const Metric& metric, double change) {
  return metric.better == Better::lower ? change > 0 : change < 0;
}

double log_change(double change) {
  constexpr double kLeastRatio = 1e-9;
  return std::log(std::max(1 + change, kLeastRatio));
}

}  // namespace perf
