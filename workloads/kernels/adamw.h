#pragma once

#include <cstddef>

#include "workloads/kernels/optimizer.h"

namespace perf::workloads {

/// One step of AdamW over `count` parameters with their gradients, which are multiplied by `scale`
/// first, and moments; `step` counts from 1. One pass: of floats 16 bytes read and 12 written a
/// parameter, and no other traffic. T: float, Bf16, Fp16.
template <class T>
void adamw(const AdamW& options, double scale, int step, std::size_t count, T* parameters,
           const T* gradients, float* mean, float* variance);
template <class T>
void adamw_reference(const AdamW& options, double scale, int step, std::size_t count, T* parameters,
                     const T* gradients, float* mean, float* variance);

}  // namespace perf::workloads
