#pragma once

#include <string>

#include "collector/build/plan.h"
#include "schema/policy.h"

namespace perf {

/// 16 hexadecimal digits (FNV-1a) of all that the shards of one plan have in common: revisions,
/// size, seed, policy, what `measure` says, targets, builds, the workloads before they are cut, the
/// number of shards and the version of this program. Not the machine. Of a plan as it was made,
/// before anything was built or looked at.
std::string plan_digest(const PlannedRun& run, const Policy& policy, const std::string& measure,
                        int shards = 1);

}  // namespace perf
