#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"
#include "schema/bisection.h"

namespace perf {

/// `perf-compare bisect GOOD BAD -w WORKLOAD`: the first bad commit, with its evidence.
int bisect_command(const Options& options, Spawner& spawner);

/// 1: a first bad commit was found and confirmed; 4: BAD is not shown to be worse than GOOD, or the
/// commit that the search led to not worse than the last good one; 3: it did not come to its end,
/// or those two could not be compared.
int exit_code(const Bisection& bisection);

}  // namespace perf
