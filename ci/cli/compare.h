#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare BASE HEAD`, from revisions to an exit code.
int compare_command(const Options& options, Spawner& spawner);

}  // namespace perf
