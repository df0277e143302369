#include "analyzer/trend/series_levels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analyzer/detector/centre_and_spread.h"

namespace perf {

double level_of(const TrendSeries& series, std::size_t begin, std::size_t end) {
  std::vector<double> values;
  for (std::size_t i = begin; i < std::min(end, series.points.size()); ++i)
    if (std::isfinite(series.points[i].value))
      values.push_back(series.points[i].value);
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
