#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare merge`, `export` and `prune`. They return the exit code.
int merge_command(const Options& options, Spawner& spawner);
int export_command(const Options& options, Spawner& spawner);
int prune_command(const Options& options, Spawner& spawner);

}  // namespace perf
