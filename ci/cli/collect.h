#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"
#include "schema/collection.h"

namespace perf {

/// `perf-compare collect`: measures a revision, or the gaps of a range, and keeps it. Returns the
/// exit code.
int collect_command(const Options& options, Spawner& spawner);

/// 0 where something was measured, or nothing was lacking; 3 where nothing could be measured, and
/// where some of a single revision failed.
int exit_code(const Collection& collection);

}  // namespace perf
