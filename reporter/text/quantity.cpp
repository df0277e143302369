#include "reporter/text/quantity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "schema/text/units.h"
#include "schema/trend.h"

namespace perf::reporter {
namespace {

constexpr double kCloseValues =
    0.02;  ///< relative difference below which a fourth digit is significant
constexpr int kDigits = 3;
constexpr int kSmallerDigits = 2;  ///< what the smaller of two values keeps at least
constexpr int kMaxDecimals = 4;
constexpr double kWidestNumber =
    1e15;  ///< beyond it fixed notation shows digits that are not there

struct Unit {
  double factor;
  std::string_view suffix;
  double start = factor;  ///< values from here on are shown in it
};

constexpr double kKib = 1024;

/// People read 90 s and 90 min as they are: minutes and hours start at two.
const std::vector<Unit> kTimes{{1e-9, " ns"}, {1e-6, " µs"},     {1e-3, " ms"},
                               {1, " s"},     {60, " min", 120}, {3600, " h", 7200}};
const std::vector<Unit> kBytes{{1, " B"},
                               {kKib, " KiB"},
                               {kKib * kKib, " MiB"},
                               {kKib * kKib * kKib, " GiB"},
                               {kKib * kKib * kKib * kKib, " TiB"}};
/// What stands before the unit of a rate; of bytes too, as makers of memory and disks count.
const std::vector<Unit> kRates{{1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}};

/// Counts of instructions and the like; from where digits alone are hard to read.
const std::vector<Unit> kCounts{{1, ""}, {1e6, " M"}, {1e9, " G"}, {1e12, " T"}};

const std::vector<Unit> kFrequencies{{1, " Hz"}, {1e6, " MHz"}, {1e9, " GHz"}};

/// How each base unit is scaled; any other is shown as it is.
const std::map<std::string, std::vector<Unit>, std::less<>> kUnits{
    {"s", kTimes}, {"B", kBytes}, {"1", kCounts}, {"Hz", kFrequencies}};

/// Whether prefixes go before it: a rate, unless it may have one already ("MB/s", "kbit/s").
bool takes_prefixes(std::string_view unit) {
  return unit.size() > 2 && unit.ends_with("/s") &&
         std::string_view("kKMGTPE").find(unit[0]) == std::string_view::npos;
}

const Unit& unit_for(const std::vector<Unit>& units, double magnitude) {
  // Rounded to three digits, 999.6 would show as 1000 of the smaller unit.
  constexpr double rounds_up = 1.0005;
  const Unit* chosen = &units.front();
  for (const Unit& unit : units) {
    if (magnitude * rounds_up >= unit.start) {
      chosen = &unit;
    }
  }
  return *chosen;
}

int decimals_for(double magnitude, int digits) {
  if (magnitude <= 0) {
    return 0;
  }
  return std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(magnitude))), 0,
                    kMaxDecimals);
}

bool is_whole(double value) {
  return std::floor(value) == value;
}

/// Beyond it fixed notation has digits that were not measured.
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

std::string fixed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos) {
    text.erase(0, 1);
  }
  return text;
}

std::string without_zeros(std::string number) {
  while (number.find('.') != std::string::npos && (number.back() == '0' || number.back() == '.')) {
    number.pop_back();
  }
  return number;
}

Scale scale_for(double a, double b, const std::string& unit) {
  const double first = std::isfinite(a) ? std::abs(a) : 0;
  const double second = std::isfinite(b) ? std::abs(b) : 0;
  const double larger = std::max(first, second);
  const double smaller = std::min(first, second);
  Scale scale;
  if (const auto units = kUnits.find(unit); units != kUnits.end()) {
    const Unit& chosen = unit_for(units->second, larger);
    scale.factor = chosen.factor;
    scale.suffix = chosen.suffix;
  } else if (takes_prefixes(unit)) {
    const Unit& chosen = unit_for(kRates, larger);
    scale.factor = chosen.factor;
    scale.suffix = " " + std::string(chosen.suffix) + (unit == "1/s" ? "/s" : unit);
  } else if (!unit.empty()) {
    scale.suffix = " " + unit;
  }
  if (scale.factor == 1 && unit != "s" && is_whole(first) && is_whole(second)) {
    return scale;
  }
  const bool close = first != second && larger - smaller < kCloseValues * larger;
  scale.decimals = std::max(decimals_for(larger / scale.factor, close ? kDigits + 1 : kDigits),
                            decimals_for(smaller / scale.factor, kSmallerDigits));
  return scale;
}

std::string scaled(double value, const Scale& scale) {
  if (!std::isfinite(value)) {
    return "-";
  }
  const double shown = value / scale.factor;
  if (std::abs(shown) >= kWidestNumber) {
    return fmt::format("{:.3g}{}", shown, scale.suffix);
  }
  return fixed(shown, scale.decimals) + scale.suffix;
}

std::string quantity(double value, const std::string& unit) {
  return scaled(value, scale_for(value, value, unit));
}

std::string quantities(double base, double head, const std::string& unit) {
  const Scale scale = scale_for(base, head, unit);
  return scaled(base, scale) + " -> " + scaled(head, scale);
}

std::string elapsed(double seconds) {
  if (!std::isfinite(seconds) || seconds < 60 || seconds >= kWidestNumber) {
    return quantity(seconds, "s");
  }
  const auto whole = static_cast<long long>(std::llround(seconds));
  const bool hours = whole >= 3600;
  const long long large = hours ? whole / 3600 : whole / 60;
  const long long small = hours ? whole % 3600 / 60 : whole % 60;
  const std::string text = fmt::format("{} {}", large, hours ? "h" : "min");
  return small == 0 ? text : fmt::format("{} {} {}", text, small, hours ? "min" : "s");
}

std::string budget_option(double seconds) {
  constexpr double margin = 1.2, a_year = 365 * 24 * 3600.0;
  const double enough = std::min(seconds * margin, a_year);
  const double step = enough <= 90 ? 10 : enough < 2 * 3600 ? 60 : 3600;
  return duration_text(std::ceil(enough / step) * step);
}

std::string grouped_digits(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) {
    text.insert(at - 3, 1, ',');
  }
  return text;
}

std::string rough_count(double count) {
  if (!std::isfinite(count) || count >= kWidestNumber) {
    return "very many";
  }
  const double whole = std::ceil(std::max(count, 0.0));
  if (whole < 100) {
    return std::to_string(static_cast<long long>(whole));
  }
  const double step = std::pow(10.0, std::floor(std::log10(whole)) - 1);
  return grouped_digits(static_cast<std::uint64_t>(std::ceil(whole / step) * step));
}

std::string rate_text(double rate) {
  if (!std::isfinite(rate) || rate <= 0) {
    return "0";
  }
  const int digits = static_cast<int>(std::floor(std::log10(rate)));
  return without_zeros(fixed(rate, std::max(0, 1 - digits)));
}

std::string percentage(double share) {
  if (!std::isfinite(share)) {
    return "-";
  }
  const std::string text = percent_number(share, 2);
  return (text.find('e') == std::string::npos ? without_zeros(text) : text) + " %";
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
  if (std::abs(*change) >= kFromZero) {
    return "from zero";
  }
  if (!interval || !std::isfinite(interval->low) || !std::isfinite(interval->high)) {
    return signed_percent(*change, percent_decimals({*change})) + " %";
  }
  const int decimals = percent_decimals({*change, interval->low, interval->high});
  return fmt::format("{} % [{}, {}]", signed_percent(*change, decimals),
                     signed_percent(interval->low, decimals),
                     signed_percent(interval->high, decimals));
}

Interval threshold_band(double threshold) {
  return {1 / (1 + threshold) - 1, threshold};
}

std::string threshold_phrase(const Comparison& comparison) {
  const std::string words = percentage(comparison.threshold);
  const bool down = comparison.change && *comparison.change < 0 && comparison.threshold > 0;
  return down ? words + " (" + change_text(threshold_band(comparison.threshold).low) + ")" : words;
}

}  // namespace perf::reporter
