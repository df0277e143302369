#pragma once

#include <cstddef>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/gemm.h"
#include "workloads/kernels/weight_matrix.h"
#include "workloads/model/model_shape.h"

namespace perf::workloads {

/// What a decoder is made for.
struct DecoderSetup {
  ModelShape shape;
  WeightType weights = WeightType::fp32;  ///< of all matrices; norms and biases are fp32
  DType cache = DType::fp32;              ///< of keys and values
  Backend backend = Backend::openblas;    ///< who multiplies many rows
  std::size_t sequences = 1;              ///< B, decoded side by side, all of the same length
  std::size_t capacity = 64;              ///< positions of each that the cache holds
  std::size_t most_rows = 64;             ///< rows (sequences times new positions) of one call
  std::size_t logit_rows = 1;             ///< rows of a call whose logits are wanted: at least B
};

/// fp32 for fp32 weights, bf16 for bf16, else fp16.
DType default_cache(WeightType weights);

}  // namespace perf::workloads
