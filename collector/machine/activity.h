#pragma once

#include <filesystem>
#include <functional>

#include "schema/machine_state.h"

namespace perf {

/// Time, handed in so that tests need none.
struct Patience {
  std::function<double()> now;        ///< s, monotonic
  std::function<void(double)> sleep;  ///< s
};

/// Watches the machine for about `seconds`: counters of proc and sys under `root`, read before and
/// after. Totals since boot say little about now.
MachineActivity watch_activity(const std::filesystem::path& root, double seconds,
                               const Patience& patience);

}  // namespace perf
