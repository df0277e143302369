#pragma once

#include <ctime>

namespace perf {

/// Seconds of CLOCK_MONOTONIC: never set back, the same for every process of the machine.
inline double monotonic_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace perf
