#pragma once

#include <cstddef>
#include <optional>
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

}  // namespace perf
