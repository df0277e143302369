#pragma once

#include <cstdint>
#include <vector>

namespace perf::reporter::html {

/// Values as whole numbers: value = (base + rest) * 10^exponent.
struct WholeNumbers {
  int exponent = 0;
  std::int64_t base = 0;
  std::vector<std::int64_t> rest;
};

/// Six significant digits of their median, which a series' noise leaves three or four of; fewer
/// where the largest value would not be a whole number that a script holds exactly. The values must
/// be finite.
WholeNumbers whole_numbers(const std::vector<double>& values);

}  // namespace perf::reporter::html
