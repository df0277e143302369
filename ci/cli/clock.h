#pragma once

#include <string>

namespace perf {

/// The date, for people only: "2026-01-31T12:00:00Z".
std::string utc_now();
/// The date so many seconds ago.
std::string utc_ago(double seconds);

/// Says in a record when it was made, and by which version.
template <typename Record>
void stamp(Record& record) {
  record.generated_at = utc_now();
  record.tool_version = PERF_COMPARE_VERSION;
}

}  // namespace perf
