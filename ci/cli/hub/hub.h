#pragma once

#include <functional>

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// A command that takes --hub: takes in what others brought there, works, and brings there what is
/// new. Where the hub fails the work is done all the same, and ends with 3 if it would with 0.
/// `takes_in`: false where it reads what it wants of them in the hub itself.
int with_hub(const Options& options, Spawner& spawner, const std::function<int()>& work,
             bool takes_in = true);

/// `prune HUB`: takes away what lies there of months that are old enough.
int prune_hub(const Options& options, Spawner& spawner);

}  // namespace perf
