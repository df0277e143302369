#pragma once

#include <optional>
#include <vector>

#include "schema/demand.h"
#include "schema/history.h"
#include "schema/plan.h"
#include "schema/policy.h"

namespace perf {

/// What `collect` still wants of a run: of each workload so many good processes of head alone, or,
/// where the plan has a base (the anchor), so many good pairs; `wanted` goes by index into
/// Plan::workloads. A workload that the anchor cannot run is measured alone. Nothing when all of it
/// is there or failed, the budget has ended or the run was interrupted. Steps per invocation are
/// chosen as for a comparison: of pairs from the pilot, alone always policy.initial_steps.
std::optional<Demand> next_collection(const Plan& plan, const History& history,
                                      const Policy& policy, const std::vector<int>& wanted);

}  // namespace perf
