#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/training/training_setup.h"

namespace perf::workloads {

/// A setup that takes less than another, and how to ask for it.
struct WayOut {
  std::string options;  ///< "--checkpointing on"
  double bytes = 0;     ///< predicted
};

/// What makes `setup` smaller: checkpointing, 16 bits, half the length, LoRA, and all of these.
std::vector<WayOut> ways_out(const TrainingSetup& setup, int threads);

/// Throws Error, with the bytes that `what` is predicted to take, those that are available, and
/// the ways out, if the first are more than the second. `available` 0 is unknown: nothing happens.
void require_fit(const TrainingSetup& setup, const std::string& what, int threads,
                 std::size_t available);

}  // namespace perf::workloads
