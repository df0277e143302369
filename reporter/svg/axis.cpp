#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "reporter/svg/drawing.h"
#include "reporter/text/quantity.h"

namespace perf::reporter::svg {
namespace {

constexpr double kMargin = 0.05;      ///< of the width, at both ends
constexpr double kNarrowest = 1e-9;   ///< of the values: closer than that is one value
constexpr double kSmallest = 1e-300;  ///< below it digits are lost
constexpr double kLargest = 1e300;    ///< and beyond it the width of an axis overflows

/// The smallest of 1, 2 and 5 times a power of ten that is not below the value.
double round_up(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= value * (1 - 1e-9)) {
      return digit * power;
    }
  }
  return 10 * power;
}

std::vector<double> linear_ticks(double low, double high, int about) {
  const double step = round_up((high - low) / about);
  std::vector<double> values;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) {
    values.push_back(i == 0 ? 0 : i * step);
  }
  return values;
}

/// 1, 2 and 5 of every decade, or where those are too many 1 of every decade, or of some.
std::vector<double> decade_ticks(double low, double high, int about) {
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  const int stride = std::max(1, (last - first) / about);
  const bool between = 3 * (last - first) <= 2 * about;
  std::vector<double> values;
  for (int decade = first; decade <= last; decade += stride) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double value = digit * std::pow(10, decade);
      const bool wanted = digit == 1 || between;
      if (wanted && value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) {
        values.push_back(value);
      }
    }
  }
  return values;
}

/// The value below which that share of the sorted values lies.
double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(std::lround(share * (sorted.size() - 1.0)))];
}

}  // namespace

double Axis::at(double value) const {
  const double share =
      logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return from + share * (to - from);
}

double Axis::within(double value) const {
  return at(std::clamp(value, low, high));
}

bool is_drawable(double value) {
  constexpr double kHuge = 1e280;
  return std::abs(value) <= kHuge;  // false for what is no number
}

Axis axis_around(double low, double high, double from, double to) {
  low = std::clamp(low, -kLargest, kLargest);
  high = std::clamp(high, -kLargest, kLargest);
  const double size = std::max(std::abs(low), std::abs(high));
  double margin = (high - low) * kMargin;
  if (!(high - low > std::max(size * kNarrowest, kSmallest))) {
    margin = size > kSmallest ? size * kMargin : 1;
  }
  return {low - margin, high + margin, from, to};
}

Axis log_axis_around(double low, double high, double from, double to) {
  low = std::clamp(low, kSmallest, kLargest);
  high = std::clamp(high, low, kLargest);
  const double margin = std::pow(std::max(high / low, 1.5), kMargin);
  return {low / margin, high * margin, from, to, true};
}

Axis axis_around_most(std::vector<double> values, double from, double to) {
  std::erase_if(values, [](double value) { return !is_drawable(value); });
  if (values.empty()) {
    return {0, 1, from, to};
  }
  std::ranges::sort(values);
  const double low = quantile(values, 0.05), high = quantile(values, 0.95);
  // Of a normal distribution, five standard deviations from the middle.
  const double reach = 1.04 * std::max(high - low, std::abs(quantile(values, 0.5)) * 1e-3);
  return axis_around(std::max(values.front(), low - reach), std::min(values.back(), high + reach),
                     from, to);
}

std::string axis_text(const Axis& axis) {
  return fmt::format("{} {} {} {}", axis.low, axis.high, axis.from, axis.to);
}

std::vector<double> ticks(const Axis& axis, int about) {
  if (axis.logarithmic) {
    std::vector<double> decades = decade_ticks(axis.low, axis.high, std::max(about, 1));
    if (decades.size() >= 2) {
      return decades;
    }
  }
  return linear_ticks(axis.low, axis.high, std::max(about, 1));
}

std::string tick_text(double value, const std::vector<double>& ticks) {
  double least = std::abs(value);  // the smallest difference to show
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    least = std::min(least > 0 ? least : ticks[i] - ticks[i - 1], ticks[i] - ticks[i - 1]);
  }
  const int decimals = least > 0 ? static_cast<int>(std::ceil(-std::log10(least) - 1e-9)) : 0;
  if (decimals <= 4 && std::abs(value) < 1e7) {
    return fixed(value, std::max(decimals, 0));
  }
  return fmt::format("{:.4g}", value);
}

}  // namespace perf::reporter::svg
