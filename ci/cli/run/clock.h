#pragma once

#include <ctime>
#include <string>

#include "schema/text/utc_time.h"

namespace perf {

/// The time `seconds` ago: "2026-01-31T12:00:00Z".
inline std::string utc_ago(double seconds) {
  return utc_text(std::time(nullptr) - static_cast<std::time_t>(seconds));
}
inline std::string utc_now() {
  return utc_ago(0);
}

/// Sets the time and the tool version of a record.
template <typename Record>
void stamp(Record& record) {
  record.generated_at = utc_now();
  record.tool_version = PERF_COMPARE_VERSION;
}

}  // namespace perf
