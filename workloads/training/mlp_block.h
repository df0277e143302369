#pragma once

#include "workloads/training/layer_products.h"

namespace perf::workloads {

/// The upper half of a layer, up and down. With N rows of middle (N,H):
///     output = middle + swiglu(rms_norm(middle) Wgate_up^T) Wdown^T
template <class T>
class MlpBlock {
 public:
  MlpBlock(const TrainingSetup& setup, const TrainingMemory<T>& arrays, LayerProducts<T>& products);

  /// The layer's `middle` -> out (N,H); null: only what the way back reads.
  void forward(int layer, T* out);
  /// grad.stream from the gradient of the output to that of `middle`. Returns false where nothing
  /// below needs it; the stream is then unfinished.
  bool backward(int layer);

 private:
  ModelLayout layout_;
  bool train_all_;
  std::size_t rows_;
  const TrainingMemory<T>& arrays_;
  LayerProducts<T>& products_;
};

}  // namespace perf::workloads
