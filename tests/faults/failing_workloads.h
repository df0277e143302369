#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/ci/scratch_repository.h"

namespace perf::test {

/// Limit of the memory of perf-compare and of every process that the test waited for, in bytes.
inline constexpr long kMemoryLimit = 80L << 20;

/// The largest memory of a process that this test, or a process that it waited for, has waited for:
/// perf-compare, git, workloads. In bytes.
long peak_memory_of_children();

/// A workload that fails, and the beginning of its failure; empty: it does not fail.
struct FailingWorkload {
  std::string name;
  std::vector<std::string> command;
  std::string reason;
  std::string format = "steps";
  std::string timeout = "5m";
};

std::vector<std::string> by_shell(const std::string& script);

/// Measures all of them in one run, beside a sound one, with the program. The test fails unless the
/// sound one is measured and the store, the messages and `show` have the reason of every failure.
/// Returns the duration of the program, in seconds.
double collect_failing(const std::vector<FailingWorkload>& workloads);

}  // namespace perf::test
