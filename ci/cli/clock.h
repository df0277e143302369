#pragma once

#include <string>

namespace perf {

/// The date, for people only: "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace perf
