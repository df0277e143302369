#pragma once

#include <cstdint>
#include <optional>

namespace perf::reporter {

struct Date {
  int year, month, day;
};

/// The day (UTC) of seconds since the epoch; nullopt beyond the years 0 to 9999.
std::optional<Date> civil_date(std::int64_t seconds);

}  // namespace perf::reporter
