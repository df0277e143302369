#pragma once

#include "schema/store/connection.h"
#include "schema/store/store.h"

namespace perf::store {

/// Takes raw steps, phases and the output of good invocations away from runs that began before
/// `wish.before`, all in one transaction, and gives the space back. A summary of every block stays.
/// Kept are runs at a pinned commit, one of `wish.keep` or of `wish.changes`, and those that were
/// measured just before and after an alert. Throws Error; where only giving the space back failed
/// (that takes room for a copy), it says so.
PruneResult prune(Connection& connection, const PruneWish& wish);

}  // namespace perf::store
