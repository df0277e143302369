#pragma once

#include <cmath>

namespace perf::formats {

/// Statistics form ratios, products and squares of measured values: within these bounds none of
/// them overflows or vanishes. No quantity of a machine comes near them.
inline constexpr double kSmallestMagnitude = 1e-150;
inline constexpr double kLargestMagnitude = 1e150;

/// A femtosecond, for steps averaged over many iterations, to 31 years.
inline constexpr double kShortestStep = 1e-15;
inline constexpr double kLongestStep = 1e9;

/// Zero, or a magnitude that ratios can be formed of.
inline bool is_measurable(double value) {
  const double magnitude = std::abs(value);
  return magnitude == 0 || (magnitude >= kSmallestMagnitude && magnitude <= kLargestMagnitude);
}

}  // namespace perf::formats
