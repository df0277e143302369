#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare doctor`: what on this machine makes timings noisy, and what to do. Returns the
/// exit code: 0, or 4 where something bad was found and `--strict` given.
int doctor_command(const Options& options, Spawner& spawner);

}  // namespace perf
