#include "reporter/html/whole_numbers.h"

#include <algorithm>
#include <cmath>

namespace perf::reporter::html {
namespace {

constexpr int kDigits = 6;
constexpr int kMostDigits = 15;  ///< of whole numbers that a double holds exactly

/// Digits before the point of a number that is not 0: 3 of 412, 0 of 0.412.
int digits_of(double value) {
  return static_cast<int>(std::floor(std::log10(value))) + 1;
}

/// Of an even number of values, the greater one in the middle.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

WholeNumbers whole_numbers(const std::vector<double>& values) {
  WholeNumbers whole;
  if (values.empty()) {
    return whole;
  }
  std::vector<double> sizes;
  for (const double value : values) {
    sizes.push_back(std::abs(value));
  }
  const double largest = *std::ranges::max_element(sizes);
  if (largest > 0) {
    const double usual = median(sizes);
    whole.exponent = std::max(digits_of(usual > 0 ? usual : largest) - kDigits,
                              digits_of(largest) - kMostDigits);
  }
  // In two steps: 10^-exponent alone may be more than a double holds.
  const auto rounded = [&whole](double value) {
    const int half = whole.exponent / 2;
    return std::llround(value / std::pow(10, half) / std::pow(10, whole.exponent - half));
  };
  whole.base = rounded(median(values));
  for (const double value : values) {
    whole.rest.push_back(rounded(value) - whole.base);
  }
  return whole;
}

}  // namespace perf::reporter::html
