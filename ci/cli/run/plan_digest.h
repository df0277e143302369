#pragma once

#include <string>

#include "ci/cli/options/options.h"
#include "collector/plan/plan.h"
#include "schema/policy.h"

namespace perf {

/// 16 hexadecimal digits (FNV-1a) of everything that the shards of a plan share: revisions, size,
/// seed, policy, --measure, targets, builds, all workloads, the number of shards and the version of
/// this program, but not the machine. Called before builds and traces change the plan.
std::string plan_digest(const PlannedRun& run, const Policy& policy, const Options& options);

/// Reduces a plan to the shard of --shard, if it is given. Without --seed, the seed follows from
/// the plan, so that all shards have the same one; the policy gets the shard's share of alpha.
void take_shard(PlannedRun& run, Policy& policy, const Options& options);

}  // namespace perf
