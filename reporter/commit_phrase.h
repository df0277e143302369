#pragma once

#include <cstdint>
#include <string>

#include "reporter/document.h"
#include "schema/revision.h"

namespace perf::reporter {

/// "2026-01-31", the day (UTC) of seconds since the epoch; empty beyond the years 0 to 9999.
std::string date_of(std::int64_t seconds);

/// "3f2a9c01d2e4 Compute more waves".
Prose short_commit_phrase(const Revision& revision);

/// "3f2a9c01d2e4 Compute more waves (Somebody, 2026-01-31)".
Prose commit_phrase(const Revision& revision);

}  // namespace perf::reporter
