#include "schema/units.h"

#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "schema/error.h"

namespace perf {
namespace {

/// More than any machine is lent for; below it a duration in nanoseconds still fits 64 bits.
constexpr double kLongestDuration = 366 * 24 * 3600.0;

struct Unit {
  std::string_view suffix;
  double seconds;
};
constexpr std::array<Unit, 4> kUnits{{{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}}};

/// A plain decimal number and what follows it, blanks skipped. No sign, no exponent, no locale.
struct Amount {
  double value;
  std::string_view suffix;
};

std::optional<Amount> read_amount(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9')
    return std::nullopt;
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || *(end - 1) == '.')
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  return Amount{value, text};
}

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

}  // namespace

double parse_percentage(std::string_view text, std::string_view subject) {
  const std::optional<Amount> amount = read_amount(text);
  if (!amount || amount->suffix != "%")
    throw UsageError(quoted(text) + " is no percentage", std::string(subject),
                     "a number and a percent sign, such as 10% or 0.5%");
  return amount->value / 100;
}

double parse_duration(std::string_view text, std::string_view subject) {
  if (const std::optional<Amount> amount = read_amount(text)) {
    for (const Unit& unit : kUnits) {
      if (amount->suffix == unit.suffix && amount->value * unit.seconds <= kLongestDuration)
        return amount->value * unit.seconds;
    }
  }
  throw UsageError(quoted(text) + " is no duration", std::string(subject),
                   "a number and a unit, such as 250ms, 5s, 10m or 2h; at most a year");
}

}  // namespace perf
