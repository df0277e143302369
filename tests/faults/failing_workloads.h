#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/ci/scratch_repository.h"

namespace perf::test {

/// What the tool itself may take, with everything that the test has waited for, in bytes.
inline constexpr long kMemoryLimit = 64L << 20;

/// The most memory that any process took that this test has waited for, or that such a one has
/// waited for in turn: perf-compare's, git's, the workloads'. In bytes.
long peak_memory_of_children();

/// A workload that goes wrong, and how its failure has to begin; empty: it does not fail.
struct FailingWorkload {
  std::string name;
  std::vector<std::string> command;
  std::string reason;
  std::string format = "steps";
  std::string timeout = "5m";
};

std::vector<std::string> by_shell(const std::string& script);

/// Measures all of them in one run, beside one that is sound, by the real program. Adds failures to
/// the test unless the sound one is measured, and of every other one the store, the messages and
/// `show` tell the reason. Returns how long the program took, in seconds.
double collect_failing(const std::vector<FailingWorkload>& workloads);

}  // namespace perf::test
