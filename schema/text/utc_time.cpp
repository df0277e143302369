#include "schema/text/utc_time.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace perf {
namespace {

/// s since 1970 of the years 0 and 10000
constexpr std::int64_t kEarliest = -62167219200, kLatest = 253402300800;

/// Seconds east of UTC that "Z", "+01:00" or "-0500" stand for; nothing where it is none of them.
std::optional<int> offset_of(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") {
    return 0;
  }
  int hours = 0, minutes = 0, end = 0;
  const std::string copy(text);
  const bool colon = std::sscanf(copy.c_str(), "%*1[+-]%2d:%2d%n", &hours, &minutes, &end) == 2;
  if (!colon && std::sscanf(copy.c_str(), "%*1[+-]%2d%2d%n", &hours, &minutes, &end) != 2) {
    return std::nullopt;
  }
  if (static_cast<std::size_t>(end) != copy.size() || hours < 0 || hours > 23 || minutes < 0 ||
      minutes > 59) {
    return std::nullopt;
  }
  return (copy[0] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

}  // namespace

std::string utc_text(std::int64_t seconds) {
  if (seconds < kEarliest || seconds >= kLatest) {
    return {};
  }
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto midnight = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss<std::chrono::seconds> clock(time - midnight);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

std::optional<std::int64_t> utc_seconds(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  const std::string copy(text.substr(0, kLongest));
  int year = 0, end = 0;
  unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (std::sscanf(copy.c_str(), "%4d-%2u-%2u%*1[T ]%2u:%2u:%2u%n", &year, &month, &day, &hour,
                  &minute, &second, &end) != 6) {
    return std::nullopt;
  }
  auto rest = static_cast<std::size_t>(end);
  if (rest < copy.size() && copy[rest] == '.') {
    rest = copy.find_first_not_of("0123456789", rest + 1);
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  const std::optional<int> offset =
      offset_of(std::string_view(copy).substr(std::min(rest, copy.size())));
  if (!offset || !date.ok() || hour > 23 || minute > 59 || second > 60) {
    return std::nullopt;
  }
  const std::chrono::seconds midnight = std::chrono::sys_days(date).time_since_epoch();
  return midnight.count() + std::int64_t{hour} * 3600 + std::int64_t{minute} * 60 + second -
         *offset;
}

std::string utc_time(std::string_view text) {
  const std::optional<std::int64_t> seconds = utc_seconds(text);
  return seconds && *seconds >= 0 ? utc_text(*seconds) : std::string();
}

std::string utc_time_of(double milliseconds) {
  const double seconds = std::floor(milliseconds / 1000);
  return seconds >= 0 && seconds < static_cast<double>(kLatest)
             ? utc_text(static_cast<std::int64_t>(seconds))
             : std::string();
}

}  // namespace perf
