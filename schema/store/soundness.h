#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schema/store/connection.h"

namespace perf::store {

/// Runs PRAGMA quick_check and foreign_key_check; returns what they complain of, empty when sound.
/// Reads the whole file; throws Error where the disk does not let it.
std::vector<std::string> problems(Connection& connection);

/// Runs PRAGMA integrity_check, which holds indexes against their tables, too. Throws Damaged with
/// its first complaint, and Error where the disk fails.
void require_integrity(Connection& connection);

/// Larger stores are not read from end to end only because they are opened: that would take longer
/// than what is wanted of them. `prune`, which writes all of it anyway, sees to their sums.
inline constexpr std::uintmax_t kSummedAtOpening = std::uintmax_t{64} << 20U;  // B

/// Sees to the sums of a store of at most `largest` bytes (checked_pages.h). One that another
/// program has written to is checked from end to end first. Where the store may be written, every
/// page gets its sum; where that fails (no room for a copy, somebody reads it) the store is used
/// without. Throws Damaged.
void keep_sums(Connection& connection, std::uintmax_t largest = kSummedAtOpening);

}  // namespace perf::store
