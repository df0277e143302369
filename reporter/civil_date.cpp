#include "reporter/civil_date.h"

#include <chrono>

namespace perf::reporter {

std::optional<Date> civil_date(std::int64_t seconds) {
  constexpr std::int64_t kFirstSecond = -62167219200;  // 0000-01-01
  constexpr std::int64_t kLastSecond = 253402300799;   // 9999-12-31T23:59:59
  if (seconds < kFirstSecond || seconds > kLastSecond) {
    return std::nullopt;
  }
  const std::chrono::sys_seconds moment{std::chrono::seconds{seconds}};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(moment)};
  return Date{static_cast<int>(day.year()), static_cast<int>(static_cast<unsigned>(day.month())),
              static_cast<int>(static_cast<unsigned>(day.day()))};
}

}  // namespace perf::reporter
