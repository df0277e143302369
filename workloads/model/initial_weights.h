#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kernels/dtype.h"
#include "workloads/model/model_shape.h"

namespace perf::workloads {

/// Random parameters, laid out as ModelLayout says, from `seed` and the position alone: scaled so
/// that activations stay near unit size and the first loss is near ln V; gains near 1 and biases
/// near 0, all different, so that one applied wrongly shows. T: float, Bf16, Fp16; the narrow types
/// hold the float values rounded. Each tensor has its own stream of numbers, named after it.
template <class T>
void fill_initial_weights(const ModelShape& shape, std::uint64_t seed, T* parameters);

/// Values first .. first + count of one of the tensors, by all threads: for who cannot hold the
/// whole model.
template <class T>
void fill_initial_values(const ModelShape& shape, const ModelTensor& tensor, std::uint64_t seed,
                         std::size_t first, std::size_t count, T* values);

}  // namespace perf::workloads
