#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare pin`, `unpin` and `pins`. They return the exit code.
int pin_command(const Options& options, Spawner& spawner);
int unpin_command(const Options& options, Spawner& spawner);
int pins_command(const Options& options, Spawner& spawner);

}  // namespace perf
