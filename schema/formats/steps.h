#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "schema/invocation.h"

namespace perf::formats {

/// A foreign program may print names without end.
inline constexpr std::size_t kMostBlocks = 10'000;

/// Reads what a workload wrote to PERF_COMPARE_OUT: JSON Lines, one or more begin...end blocks,
/// each with at least one timed step; several blocks have different workload names. Throws Error
/// whose subject is "line N" for anything against the protocol: a block without end, unknown
/// protocol version, NaN, infinite, negative or zero seconds, indices out of order, duplicate keys,
/// bad UTF-8, depth over 64, more than 64 MiB or kMostBlocks. Unknown record types and unknown keys
/// are skipped, so that newer workloads run under older tools; an optional field that is null
/// counts as absent, a step without an index follows the one before, and an rss of 0 is unknown.
/// schema/json/protocol.schema.json describes a line, docs/protocol.md the whole.
std::vector<Block> read_steps(std::string_view text);

}  // namespace perf::formats
