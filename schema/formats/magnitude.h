#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

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

/// Whether a number is written as an integer beyond +-2^53: a double may hold another one.
inline bool is_large_integer(std::string_view written) {
  constexpr std::string_view kLargestExact = "9007199254740992";
  written.remove_prefix(std::min(written.find_first_not_of("+-"), written.size()));
  written.remove_prefix(std::min(written.find_first_not_of('0'), written.size()));
  if (written.find_first_not_of("0123456789") != std::string_view::npos) {
    return false;
  }
  return written.size() > kLargestExact.size() ||
         (written.size() == kLargestExact.size() && written > kLargestExact);
}

}  // namespace perf::formats
