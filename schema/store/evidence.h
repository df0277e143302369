#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schema/plan.h"
#include "schema/store/connection.h"
#include "schema/store/store.h"
#include "schema/workload.h"

namespace perf::store {

/// A run as it was planned. Throws Error where the store's texts are not what this program writes.
Plan load_plan(Connection& connection, std::int64_t run);

/// Runs, newest first (runs_at: their ids, at most `limit` of them). Evidence is what was measured
/// to compare revisions or to keep their history, of the same workload (its timeout aside),
/// parameters and size, in an invocation that ended well; nothing relinked or counted, no control
/// arm, and nothing of a calibration, a self-test or a bisection.
std::vector<RunOfPairs> runs_of_pairs(Connection& connection, const std::string& base_oid,
                                      const std::string& head_oid, const Workload& workload,
                                      const std::string& size);
std::vector<std::string> runs_at(Connection& connection, const std::string& oid,
                                 const Workload& workload, const std::string& size,
                                 std::int64_t limit);

}  // namespace perf::store
