#pragma once

#include <string>

namespace perf {

/// The date, for people only: "2026-01-31T12:00:00Z".
std::string utc_now();
/// The date so many seconds ago.
std::string utc_ago(double seconds);

}  // namespace perf
