#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare calibrate`: one revision against itself on this machine, and what follows for real
/// comparisons here. Exit code: 0, also where identical code was called changed (the report warns;
/// it is a finding about the machine, not about the revision), 3 where nothing could be measured.
/// `--show` shows the newest one stored for this machine instead, and measures nothing.
int calibrate_command(const Options& options, Spawner& spawner);

}  // namespace perf
