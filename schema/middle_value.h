#pragma once

#include <algorithm>
#include <vector>

namespace perf {

/// The middle one of the values, which it sorts, or the mean of the two; as the analyzer takes
/// medians. There must be one.
inline double middle_value(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const double below = values[(values.size() - 1) / 2];
  const double above = values[values.size() / 2];
  return below == above ? below : 0.5 * below + 0.5 * above;
}

}  // namespace perf
