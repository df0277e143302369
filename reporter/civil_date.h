#pragma once

#include <cstdint>
#include <optional>

namespace perf::reporter {

struct Date {
  int year, month, day;
};

/// The day (UTC) of seconds since the epoch; nullopt beyond the years 0 to 9999. After H. Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms", civil_from_days: the C library's gmtime shares a
/// buffer and knows other ranges elsewhere.
std::optional<Date> civil_date(std::int64_t seconds);

}  // namespace perf::reporter
