#include "schema/text/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

#include "schema/error.h"

namespace perf {
namespace {

/// A year and a day; a duration in nanoseconds still fits 64 bits.
constexpr double kLongestDuration = 366 * 24 * 3600.0;

/// More than any machine holds (1 EB); below it bytes still fit 64 bits.
constexpr double kMostBytes = 1e18;

struct Unit {
  std::string_view suffix;
  double size;  ///< in the base unit
};
constexpr std::array<Unit, 5> kDurations{
    {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}}};
constexpr std::array<Unit, 10> kByteSizes{{{"B", 1},
                                           {"kB", 1e3},
                                           {"KB", 1e3},
                                           {"MB", 1e6},
                                           {"GB", 1e9},
                                           {"TB", 1e12},
                                           {"KiB", 0x1p10},
                                           {"MiB", 0x1p20},
                                           {"GiB", 0x1p30},
                                           {"TiB", 0x1p40}}};

/// A plain decimal number and what follows it, blanks skipped. No sign, no exponent, no locale.
struct Amount {
  double value;
  std::string_view suffix;
};

std::optional<Amount> read_amount(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') {
    return std::nullopt;
  }
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || *(end - 1) == '.') {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
  }
  return Amount{value, text};
}

template <std::size_t N>
std::optional<double> read_with_unit(std::string_view text, const std::array<Unit, N>& units,
                                     double most) {
  const std::optional<Amount> amount = read_amount(text);
  for (const Unit& unit : units) {
    if (amount && amount->suffix == unit.suffix && amount->value * unit.size <= most) {
      return amount->value * unit.size;
    }
  }
  return std::nullopt;
}

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

}  // namespace

double parse_percentage(std::string_view text, std::string_view subject) {
  const std::optional<Amount> amount = read_amount(text);
  if (!amount || amount->suffix != "%") {
    throw UsageError(quoted(text) + " is not a percentage", std::string(subject),
                     "write a number and a percent sign, such as 10% or 0.5%");
  }
  return amount->value / 100;
}

std::string percentage_text(double share) {
  constexpr double kRounded = 1e4;
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(),
                                 std::round(share * 100 * kRounded) / kRounded);
  return std::string(text.data(), end.ptr) + "%";
}

double parse_duration(std::string_view text, std::string_view subject) {
  if (const std::optional<double> seconds = read_with_unit(text, kDurations, kLongestDuration)) {
    return *seconds;
  }
  throw UsageError(quoted(text) + " is not a duration", std::string(subject),
                   "write a number and a unit, such as 250ms, 5s, 10m, 2h or 90d; at most a year");
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(seconds);
  const Unit* unit = &kDurations[1];
  for (const Unit& larger : kDurations) {
    if (larger.size > unit->size && whole % static_cast<long long>(larger.size) == 0) {
      unit = &larger;
    }
  }
  return std::to_string(whole / static_cast<long long>(unit->size)) + std::string(unit->suffix);
}

double parse_byte_size(std::string_view text, std::string_view subject) {
  if (const std::optional<double> bytes = read_with_unit(text, kByteSizes, kMostBytes)) {
    return *bytes;
  }
  throw UsageError(quoted(text) + " is not a size in bytes", std::string(subject),
                   "write a number and a unit, such as 512KiB, 100MiB or 2GB; at most 10^18 B");
}

}  // namespace perf
