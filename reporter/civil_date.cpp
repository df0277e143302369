#include "reporter/civil_date.h"

namespace perf::reporter {
namespace {

constexpr std::int64_t kSecondsPerDay = 86400;
constexpr std::int64_t kFirstSecond = -62167219200;  ///< 0000-01-01
constexpr std::int64_t kLastSecond = 253402300799;   ///< 9999-12-31T23:59:59

}  // namespace

std::optional<Date> civil_date(std::int64_t seconds) {
  if (seconds < kFirstSecond || seconds > kLastSecond) {
    return std::nullopt;
  }
  const std::int64_t second_of_day = (seconds % kSecondsPerDay + kSecondsPerDay) % kSecondsPerDay;
  const std::int64_t z = (seconds - second_of_day) / kSecondsPerDay + 719468;
  const std::int64_t era = (z >= 0 ? z : z - 146096) / 146097;
  const std::int64_t day_of_era = z - era * 146097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const int day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  const int month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  const int year = static_cast<int>(year_of_era + era * 400 + (month <= 2 ? 1 : 0));
  return Date{year, month, day};
}

}  // namespace perf::reporter
