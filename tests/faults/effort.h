#pragma once

#include <string>

namespace perf::test {

/// How often a fault is tried: `quick` times in ci/test, `full` times under ci/faults, which sets
/// PERF_COMPARE_FAULTS=full. What full runs show is in docs/faults.md.
int tries(int quick, int full);

/// A figure for docs/faults.md: printed, as "figure: WHAT: TEXT", for ci/faults to gather.
void figure(const std::string& what, const std::string& text);

}  // namespace perf::test
