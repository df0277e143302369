#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare report [ID]`: renders a stored run again, with the exit code it had. Measures and
/// stores nothing.
int report_command(const Options& options, Spawner& spawner);

}  // namespace perf
