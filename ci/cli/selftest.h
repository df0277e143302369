#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"
#include "schema/selftest.h"

namespace perf {

/// `perf-compare selftest`: proves that the gate can fail. Three comparisons of a revision with
/// itself: nothing planted, then a slowdown and an allocation planted at head.
int selftest_command(const Options& options, Spawner& spawner);

/// 0: the gate works; 1: it missed something or raised a false alarm; 3: that could not be shown.
int exit_code(GateState state);

/// What a self-test measures for unless it is told: seconds for all three arms.
inline constexpr double kSelftestBudget = 300;

}  // namespace perf
