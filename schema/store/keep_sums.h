#pragma once

#include <cstdint>

#include "schema/store/connection.h"

namespace perf::store {

/// Larger stores are not read from end to end only because they are opened: that would take longer
/// than what is wanted of them. `prune`, which writes all of it anyway, sees to their sums.
inline constexpr std::uintmax_t kSummedAtOpening = std::uintmax_t{64} << 20U;  // B

/// Sees to the sums of a store of at most `largest` bytes (checked_pages.h). One that another
/// program has written to is checked from end to end first. Where the store may be written, every
/// page gets its sum; where that fails (no room for a copy, somebody reads it) the store is used
/// without. Throws Damaged.
void keep_sums(Connection& connection, std::uintmax_t largest = kSummedAtOpening);

}  // namespace perf::store
