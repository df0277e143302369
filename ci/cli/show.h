#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare show [ID|REV]`: what the store knows of a run or a revision. Measures and stores
/// nothing.
int show_command(const Options& options, Spawner& spawner);

}  // namespace perf
