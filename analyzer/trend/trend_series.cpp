#include "analyzer/trend/trend_series.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/samples/samples.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/selection.h"

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

bool may_alert(const TrendSeries& series, const Policy& policy) {
  const std::string& metric = series.key.metric;
  if (!policy.metrics.empty()) {
    return is_shown(policy, metric);
  }
  return series.judge || metric == kStepTime.name || metric == kPeakRss.name ||
         names_metric(policy, series.key.workload, metric);
}

Scale scale_of(const TrendSeries& series) {
  return series.are_ratios ? Scale::log : Scale::linear;
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
  return values.empty() ? 0 : median_in_place(values);
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

void promote_suspects(TrendSeries& series) {
  std::vector<ChangePoint>& suspects = series.suspects;
  const auto promoted =
      std::stable_partition(suspects.begin(), suspects.end(),
                            [](const ChangePoint& suspect) { return !stands(suspect.state); });
  std::move(promoted, suspects.end(), std::back_inserter(series.change_points));
  suspects.erase(promoted, suspects.end());
  std::ranges::sort(series.change_points, {}, &ChangePoint::index);
}

double level_error(double noise, std::size_t left, std::size_t right) {
  return kMedianError * noise *
         std::sqrt(1 / static_cast<double>(left) + 1 / static_cast<double>(right));
}

double log_distance(double from, double to) {
  return from > 0 && to > 0 ? std::log(to / from) : (to - from) / std::max(std::abs(from), 1e-300);
}

double log_change(double change) {
  constexpr double kLeastRatio = 1e-9;
  return std::log(std::max(1 + change, kLeastRatio));
}

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
