#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "schema/report.h"

namespace perf {

/// The quantile of ascending values, linear between order statistics (Hyndman & Fan 1996, type 7).
double quantile(const std::vector<double>& sorted, double share);

/// Median, 90th percentile (linear between order statistics: Hyndman & Fan 1996, type 7), mean,
/// standard deviation (n - 1), range and coefficient of variation of finite values. Nothing of
/// nothing.
std::optional<SideStats> side_stats(std::vector<double> values);

/// The same of so many invocations, and of steps where the values are their times.
std::optional<SideStats> side_stats(std::vector<double> values, std::size_t invocations,
                                    bool are_steps);

/// The middle one of the values, which it reorders, or the mean of the middle two. There must be
/// one. Linear time.
inline double middle_value(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) {
    return *middle;
  }
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

}  // namespace perf
