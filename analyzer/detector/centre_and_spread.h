#pragma once

#include <cstddef>
#include <span>

#include "analyzer/statistics/normal_deviations.h"

namespace perf {

/// The standard error of a median of normal values in units of that of their mean, sqrt(pi / 2).
inline constexpr double kMedianError = 1.2533;

/// The median of the values, which it reorders; of an even number the mean of the middle two; 0 of
/// none. Linear time.
double median_in_place(std::span<double> values);

/// Of some values: their median, and 1.4826 x the median distance from it.
struct CentreAndSpread {
  double centre = 0;
  double spread = 0;
  std::size_t count = 0;
};
CentreAndSpread centre_and_spread(std::span<const double> values);

}  // namespace perf
