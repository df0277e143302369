#include "reporter/change.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "reporter/quantity.h"

namespace perf::reporter {
namespace {

/// Beyond it fixed notation is a row of digits that nobody measured.
constexpr double kWidestPercent = 1e9;

/// A finite share as percent; where the number has no room for that, as much as it holds.
std::string percent_number(double share, int decimals) {
  constexpr double most = std::numeric_limits<double>::max();
  const double percent = std::clamp(share * 100, -most, most);
  return std::abs(percent) < kWidestPercent ? fixed(percent, decimals)
                                            : fmt::format("{:.2e}", percent);
}

std::string signed_percent(double share, int decimals) {
  const std::string text = percent_number(share, decimals);
  return text[0] == '-' ? text : "+" + text;
}

int percent_decimals(std::initializer_list<double> shares) {
  double largest = 0;
  for (const double share : shares) {
    largest = std::max(largest, std::abs(share));
  }
  return largest >= 1 ? 0 : (largest < 0.01 ? 2 : 1);
}

}  // namespace

std::string percentage(double share) {
  if (!std::isfinite(share)) {
    return "-";
  }
  std::string text = percent_number(share, 2);
  if (text.find('e') != std::string::npos) {
    return text + " %";
  }
  while (text.back() == '0') {
    text.pop_back();
  }
  if (text.back() == '.') {
    text.pop_back();
  }
  return text + " %";
}

std::string rough_percentage(double share) {
  if (!std::isfinite(share) || share <= 0) {
    return percentage(share);
  }
  const double step = std::pow(10.0, std::floor(std::log10(share)) - 1);
  // What is a multiple of the step but for rounding stays.
  constexpr double slack = 1e-9;
  return percentage(std::ceil(share / step - slack) * step);
}

std::string change_text(const std::optional<double>& change,
                        const std::optional<Interval>& interval) {
  if (!change || !std::isfinite(*change)) {
    return "-";
  }
  if (!interval || !std::isfinite(interval->low) || !std::isfinite(interval->high)) {
    return signed_percent(*change, percent_decimals({*change})) + " %";
  }
  const int decimals = percent_decimals({*change, interval->low, interval->high});
  return fmt::format("{} % [{}, {}]", signed_percent(*change, decimals),
                     signed_percent(interval->low, decimals),
                     signed_percent(interval->high, decimals));
}

}  // namespace perf::reporter
