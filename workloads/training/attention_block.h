#pragma once

#include "workloads/kernels/causal_attention.h"
#include "workloads/training/layer_products.h"

namespace perf::workloads {

/// The lower half of a layer, up and down. With N rows of input x (N,H):
///     qkv    = rotated(rms_norm(x) Wqkv^T + bias)
///     middle = x + attention(qkv) Wo^T
template <class T>
class AttentionBlock {
 public:
  AttentionBlock(const TrainingSetup& setup, const TrainingMemory<T>& arrays,
                 LayerProducts<T>& products, Ledger& memory);

  /// in (N,H) -> the layer's `middle`.
  void forward(int layer, const T* in);
  /// grad.stream from the gradient of `middle` to that of `in`, as far down as anything needs it.
  void backward(int layer, const T* in);

 private:
  ModelLayout layout_;
  bool train_all_;
  QkvRows rows_;
  const TrainingMemory<T>& arrays_;
  LayerProducts<T>& products_;
  CausalAttention<T> attention_;
};

}  // namespace perf::workloads
