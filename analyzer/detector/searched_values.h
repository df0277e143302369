#pragma once

#include <cstddef>
#include <vector>

namespace perf {

/// How values become what is searched: log: y = ln v; linear: y = v / median|v|.
enum class Scale { log, linear };

/// The values of a series that can be searched, gaps dropped, in order.
struct SearchedValues {
  std::vector<double> y;              ///< log: ln v; linear: v / median|v|; finite
  std::vector<std::size_t> position;  ///< of each y among the values as given
};

/// Drops the values that are NaN, infinite or, on the log scale, not positive. On the linear scale
/// the unit is the median of |v|, where that is 0 the median of the |v| that are not; values beyond
/// kLargestRatio of it are cut to that, so that sums stay finite.
SearchedValues searched_values(const std::vector<double>& values, Scale scale);

inline constexpr double kLargestRatio = 1e9;

/// A difference of two y as a relative change.
double relative_change(double difference, Scale scale);

}  // namespace perf
