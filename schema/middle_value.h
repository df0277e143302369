#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>

namespace perf {

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
