#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/training/finetuning.h"

namespace perf::workloads {

/// Adapters as they are before the first step, laid out as LoraLayout says: A uniform within
/// 1/sqrt(inputs), B zero, so that the first forward pass is the frozen model's. From `seed` and
/// the position alone. T: float, Bf16, Fp16; the narrow types hold the float values rounded.
template <class T>
void fill_initial_adapters(const ModelShape& shape, const LoraOptions& options, std::uint64_t seed,
                           T* adapters);

}  // namespace perf::workloads
