#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare trend`: what moved along history. Returns the exit code.
int trend_command(const Options& options, Spawner& spawner);

}  // namespace perf
