#pragma once

#include <string>

namespace perf::test {

/// How often a fault is tried: `quick` times in ci/test, `full` times under ci/faults, which sets
/// PERF_COMPARE_FAULTS=full.
int tries(int quick, int full);

/// Prints a figure of the test for ci/faults, as "figure: WHAT: TEXT".
void figure(const std::string& what, const std::string& text);

}  // namespace perf::test
