#pragma once

#include <cstddef>
#include <vector>

#include "workloads/kernels/ledger.h"
#include "workloads/kernels/weight_matrix.h"
#include "workloads/model/parameter_source.h"

namespace perf::workloads {

/// A decoder's parameters as inference reads them: matrices packed in one WeightType, with q, k and
/// v as one and gate and up as one; norms and biases in fp32.
struct DecoderWeights {
  struct Layer {
    float* attention_norm = nullptr;  ///< (H)
    WeightMatrix qkv;                 ///< (qkv_width,H)
    float* qkv_bias = nullptr;        ///< (qkv_width); null: none
    WeightMatrix out;                 ///< (H,query_width)
    float* mlp_norm = nullptr;        ///< (H)
    WeightMatrix gate_up;             ///< (2I,H)
    WeightMatrix down;                ///< (H,I)
  };

  ModelShape shape;
  WeightMatrix embedding;  ///< (V,H)
  std::vector<Layer> layers;
  float* final_norm = nullptr;  ///< (H)
  WeightMatrix output;          ///< (V,H); of a tied model the embedding

  /// Takes their memory, as weights.
  static DecoderWeights take(const ModelShape& shape, WeightType type, Ledger& memory);

  /// Reads and packs all of them, by all threads, a block of rows at a time. Throws
  /// std::invalid_argument for a source of another shape, and what the source throws.
  void load(const ParameterSource& source);
  /// Rows of a block.
  static std::size_t rows_at_once(std::size_t columns);

  /// What the stored values mean, `count` from `offset` on as ModelLayout has them.
  std::vector<float> parameters(std::size_t offset, std::size_t count) const;

  /// Of all matrices but an embedding that is not the output: what one token's products read.
  std::size_t matrix_bytes() const;
};

}  // namespace perf::workloads
