#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare profile -w WORKLOAD [REV [REV2]]`: where the time goes.
int profile_command(const Options& options, Spawner& spawner);

}  // namespace perf
