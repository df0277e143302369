#pragma once

#include "workloads/training/training_setup.h"

namespace perf::workloads {

/// Floating-point operations of the matrix products of one step: forward, loss and backward, as
/// far down as gradients are needed. Of attention causality's half; recomputed is nothing.
double step_operations(const TrainingSetup& setup);

/// Of those, what one layer's halves take (attention_block.h, mlp_block.h), adapters included.
double attention_block_operations(const TrainingSetup& setup, int layer);
double mlp_block_operations(const TrainingSetup& setup, int layer);

}  // namespace perf::workloads
