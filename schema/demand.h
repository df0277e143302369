#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf {

/// Measurements of one workload to make.
struct WorkloadDemand {
  std::size_t workload = 0;  ///< index into Plan::workloads
  int count = 0;             ///< pairs, or invocations of head alone where `paired` is false
  bool paired = true;
  int steps = 0;  ///< timed steps per invocation
  int warmup = 0;
  bool counted = false;  ///< under a tool that counts instructions
};

/// Measurements to make before the next decision. The collector interleaves the workloads round by
/// round, so that a slow minute of the machine affects all of them.
struct Demand {
  std::vector<WorkloadDemand> workloads;
  double budget_left = 0;         ///< s; no pair starts that is expected to overrun it
  std::uint64_t layout_seed = 0;  ///< of the builds that are measured
};

}  // namespace perf
