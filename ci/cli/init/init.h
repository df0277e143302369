#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// Writes a config for the repository it stands in. Returns the exit code. Throws UsageError where
/// there is a config already, or no repository; Error where it cannot be written.
int init_command(const Options& options, Spawner& spawner);

}  // namespace perf
