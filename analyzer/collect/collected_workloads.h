#pragma once

#include <vector>

#include "schema/collection.h"
#include "schema/history.h"
#include "schema/plan.h"
#include "schema/policy.h"

namespace perf {

/// What a run of `collect` has of its workloads, in the plan's order; `wanted` as for
/// next_collection. A workload that lacks some of it is left where the budget or a signal ended the
/// run, and has failed where its processes fail.
std::vector<CollectedWorkload> collected_workloads(const Plan& plan, const History& history,
                                                   const Policy& policy,
                                                   const std::vector<int>& wanted);

/// The status of a commit with these workloads: left while one of them is, else measured where one
/// of them is, else failed.
CollectedStatus status_of(const std::vector<CollectedWorkload>& workloads);

}  // namespace perf
