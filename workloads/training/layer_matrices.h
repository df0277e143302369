#pragma once

#include <cstddef>

#include "workloads/training/lora.h"

namespace perf::workloads {

/// The four matrices of a layer, from its input upwards: q, k and v lie in one, gate and up too.
enum class LayerMatrix { qkv, out, gate_up, down };

struct MatrixSize {
  std::size_t outputs = 0, inputs = 0;
};
MatrixSize size_of(const ModelShape& shape, LayerMatrix matrix);

/// Where its weights (outputs,inputs) lie among all parameters.
std::size_t offset_of(const ModelLayout& layout, LayerMatrix matrix, int layer);

/// A projection is some of the outputs of a matrix.
LayerMatrix matrix_of(Projection projection);
struct OutputRange {
  std::size_t first = 0, count = 0;
};
OutputRange outputs_of(const ModelShape& shape, Projection projection);

/// How far down gradients are needed. With adapters they end at the lowest one: what lies below it
/// is frozen, and nobody reads its gradients.
class GradientReach {
 public:
  GradientReach(const ModelShape& shape, const LoraOptions& lora);

  /// Whether the gradient of the matrix's outputs is needed.
  bool outputs(int layer, LayerMatrix matrix) const;
  /// Whether that of its inputs is: more than its own adapters need.
  bool inputs(int layer, LayerMatrix matrix) const;
  int lowest_layer() const { return layer_; }

 private:
  bool everything_;  // the whole model is trained
  int layer_ = 0;    // the lowest that has adapters
  LayerMatrix matrix_ = LayerMatrix::qkv;
};

}  // namespace perf::workloads
