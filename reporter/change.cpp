#include "reporter/change.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "reporter/quantity.h"

namespace perf::reporter {
namespace {

std::string signed_percent(double share, int decimals) {
  const std::string text = fixed(share * 100, decimals);
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
  std::string text = fixed(share * 100, 2);
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

std::string change_text(double change) {
  return change_text(change, std::nullopt);
}

std::string change_text(double change, const std::optional<Interval>& interval) {
  if (!std::isfinite(change)) {
    return "-";
  }
  if (!interval || !std::isfinite(interval->low) || !std::isfinite(interval->high)) {
    return signed_percent(change, percent_decimals({change})) + " %";
  }
  const int decimals = percent_decimals({change, interval->low, interval->high});
  return fmt::format("{} % [{}, {}]", signed_percent(change, decimals),
                     signed_percent(interval->low, decimals),
                     signed_percent(interval->high, decimals));
}

}  // namespace perf::reporter
