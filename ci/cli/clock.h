#pragma once

#include <string>

namespace perf {

/// Seconds on the monotonic clock: for durations, whatever happens to the date.
double monotonic_seconds();

/// The date, for people only: "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace perf
