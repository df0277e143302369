#include "schema/text/wording.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "schema/text/text_parts.h"

namespace perf {

std::string with_decimals(double value, int decimals) {
  std::array<char, 400> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::fixed, decimals);
  return std::string(text.data(), end.ptr);
}

std::string tenths(double value) {
  std::string digits = with_decimals(value, 1);
  if (digits.ends_with(".0")) {
    digits.resize(digits.size() - 2);
  }
  return digits;
}

std::string percent(double relative) {
  constexpr double kWholePercentFrom = 9.95;  // two digits say enough
  const double value = std::abs(relative) * 100;
  return (value < kWholePercentFrom ? tenths(value) : with_decimals(value, 0)) + " %";
}

std::string fine_percent(double relative) {
  constexpr int kDigits = 2, kMostDecimals = 12;
  const double value = std::abs(relative) * 100;
  if (!(value > 0) || value >= 10) {
    return percent(relative);
  }
  return with_decimals(value,
                       std::clamp(kDigits - 1 - static_cast<int>(std::floor(std::log10(value))), 0,
                                  kMostDecimals)) +
         " %";
}

std::string signed_percent(double relative) {
  std::string text(1, relative < 0 ? '-' : '+');
  return text.append(percent(relative));
}

std::string counted(std::int64_t number, const std::string& one, const std::string& many) {
  return std::to_string(number) + " " + (number == 1 ? one : many.empty() ? one + "s" : many);
}

std::string some_of(const std::vector<std::string>& texts, std::size_t most) {
  if (texts.size() <= most) {
    return joined(texts, ", ");
  }
  const auto shown = texts.begin() + static_cast<std::ptrdiff_t>(most);
  return joined(std::vector(texts.begin(), shown), ", ") + " and " +
         std::to_string(texts.size() - most) + " more";
}

std::string direction_word(const Metric& metric, double change) {
  if (metric.unit == "s") {
    return change > 0 ? "slower" : "faster";
  }
  if (metric.unit == "B") {
    return change > 0 ? "larger" : "smaller";
  }
  return change > 0 ? "higher" : "lower";
}

}  // namespace perf
