#pragma once

#include <cstddef>

#include "workloads/kernels/optimizer.h"

namespace perf::workloads {

/// One step of AdamW over `count` parameters with their gradients and moments; `step` counts
/// from 1. One pass: 16 bytes read and 12 written a parameter, and no other traffic.
void adamw(const AdamW& options, int step, std::size_t count, float* parameters,
           const float* gradients, float* mean, float* variance);
void adamw_reference(const AdamW& options, int step, std::size_t count, float* parameters,
                     const float* gradients, float* mean, float* variance);

}  // namespace perf::workloads
