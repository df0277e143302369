#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare list`: the runs of the store, newest first. Measures and stores nothing.
int list_command(const Options& options, Spawner& spawner);

}  // namespace perf
