#pragma once

#include <cstddef>

#include "workloads/step_emitter.h"

namespace perf::workloads {

/// The most bytes of this process that lay in memory after any of the steps; the process's peak
/// where the system did not tell.
std::size_t most_resident(const perf_compare::StepEmitter& out);

/// What the process has in memory at most, from when the object is made on.
class PeakMemory {
 public:
  PeakMemory();

  /// The process's peak, where it rose since. Where it did not, something before was larger
  /// (another workload of the process, a checkpoint that was written): then the most that a step
  /// ended with, which is no less as steps allocate nothing.
  std::size_t bytes(const perf_compare::StepEmitter& out) const;

 private:
  std::size_t before_;
};

}  // namespace perf::workloads
