#include "analyzer/trend/series_residuals.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "analyzer/detector/centre_and_spread.h"

namespace perf {
namespace {

/// ln(value) of the points [begin, end) that have one.
std::vector<double> log_values(const TrendSeries& series, std::size_t begin, std::size_t end) {
  std::vector<double> y;
  y.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    if (series.points[i].value > 0 && std::isfinite(series.points[i].value)) {
      y.push_back(std::log(series.points[i].value));
    }
  }
  return y;
}

}  // namespace

std::vector<double> log_values(const TrendSeries& series) {
  return log_values(series, 0, series.points.size());
}

std::vector<double> residuals(const TrendSeries& series) {
  std::vector<double> rest;
  rest.reserve(series.points.size());
  for (std::size_t i = 0, begin = 0; i <= series.change_points.size(); ++i) {
    const bool is_last = i == series.change_points.size();
    const std::size_t end = is_last ? series.points.size() : series.change_points[i].index;
    const std::vector<double> segment = log_values(series, begin, end);
    std::vector<double> scratch = segment;
    const double centre = median_in_place(scratch);
    for (const double y : segment) {
      rest.push_back(y - centre);
    }
    begin = end;
  }
  return rest;
}

}  // namespace perf
