#pragma once

#include <string>

#include "ci/cli/options/options.h"
#include "collector/plan/plan.h"
#include "schema/policy.h"

namespace perf {

/// 16 hexadecimal digits (FNV-1a) of all that the shards of one plan have in common: revisions,
/// size, seed, policy, what --measure says, targets, builds, the workloads before they are cut, the
/// number of shards and the version of this program. Not the machine. Of a plan as it was made,
/// before anything was built or looked at.
std::string plan_digest(const PlannedRun& run, const Policy& policy, const Options& options);

/// Cuts a plan to the shard that --shard names; nothing without it. The seed, unless --seed gave
/// one, follows from the rest of the plan, so that shards agree on it and the same shard of the
/// same plan again is the same; the policy gets the shard's share of alpha.
void take_shard(PlannedRun& run, Policy& policy, const Options& options);

}  // namespace perf
