#pragma once

#include "schema/store/connection.h"

namespace perf::store {

/// Sees to the sums of a store that is being opened (checked_pages.h). One that another program has
/// written to is checked from end to end first. Where the store may be written, every page gets its
/// sum; where that fails (no room for a copy, somebody reads it) the store is used without.
/// Throws Damaged.
void keep_sums(Connection& connection);

}  // namespace perf::store
