#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "reporter/document.h"
#include "schema/revision.h"

namespace perf::reporter {

/// Digits of an object id: short enough to read, long enough to stay unique.
inline constexpr std::size_t kShortOid = 12;

/// "2026-01-31" of seconds since the epoch; empty for years that nobody commits in.
std::string date_of(std::int64_t seconds);

/// "3f2a9c01d2e4 Compute more waves (Somebody, 2026-01-31)".
Prose commit_phrase(const Revision& revision);

}  // namespace perf::reporter
