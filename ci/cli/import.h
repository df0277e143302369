#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare import FORMAT FILE...`: keeps what another tool measured as runs of this store.
/// Returns the exit code.
int import_command(const Options& options, Spawner& spawner);

}  // namespace perf
