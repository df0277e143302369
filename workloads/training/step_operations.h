#pragma once

#include "workloads/training/training_setup.h"

namespace perf::workloads {

/// Floating-point operations of the matrix products of one step: forward, loss and backward, as
/// far down as gradients are needed. Of attention causality's half; recomputed is nothing.
double step_operations(const TrainingSetup& setup);

}  // namespace perf::workloads
