#include "schema/side_stats.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace perf {

double quantile(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = position - static_cast<double>(below);
  // Weighted ends instead of a difference: no overflow, and equal ends give exactly themselves.
  return below == above || sorted[below] == sorted[above]
             ? sorted[below]
             : sorted[below] * (1 - part) + sorted[above] * part;
}

std::optional<SideStats> side_stats(std::vector<double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  std::sort(values.begin(), values.end());
  SideStats stats;
  stats.median = quantile(values, 0.5);
  stats.p90 = quantile(values, 0.9);
  stats.min = values.front();
  stats.max = values.back();

  // In units of the largest magnitude, so that squares neither overflow nor vanish.
  const double unit = std::max(std::abs(stats.min), std::abs(stats.max));
  if (unit == 0) {
    return stats;
  }
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) {
    sum += value / unit;
  }
  const double mean = sum / count;
  double squares = 0;
  for (const double value : values) {
    squares += (value / unit - mean) * (value / unit - mean);
  }
  stats.mean = std::clamp(mean * unit, stats.min, stats.max);
  stats.stddev = values.size() > 1 ? std::sqrt(squares / (count - 1)) * unit : 0;
  stats.cov = mean != 0 ? std::sqrt(squares / std::max(count - 1, 1.0)) / std::abs(mean) : 0;
  return stats;
}

std::optional<SideStats> side_stats(std::vector<double> values, std::size_t invocations,
                                    bool are_steps) {
  const std::size_t count = values.size();
  std::optional<SideStats> stats = side_stats(std::move(values));
  if (stats) {
    stats->invocations = static_cast<int>(invocations);
    stats->steps = are_steps ? static_cast<int>(count) : 0;
  }
  return stats;
}

}  // namespace perf
