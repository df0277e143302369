#pragma once

#include "workloads/kernels/products.h"
#include "workloads/training/layer_matrices.h"
#include "workloads/training/low_rank.h"
#include "workloads/training/training_memory.h"

namespace perf::workloads {

/// The products of a layer's four matrices with N rows, adapters included, up and down.
template <class T>
class LayerProducts {
 public:
  LayerProducts(const TrainingSetup& setup, const TrainingMemory<T>& arrays, Products<T>& products,
                Ledger& memory);

  /// out (N,outputs) = in (N,inputs) W^T, what the adapters add, and `residual` unless it is null.
  void forward(LayerMatrix matrix, int layer, const T* in, const T* residual, T* out);

  /// What forward() leaves beside `out`.
  void forward_without_output(LayerMatrix matrix, int layer, const T* in);

  /// From grad_out (N,outputs) the gradients of what is trained, and grad_in (N,inputs) where
  /// anything below needs it. Returns whether it does: the way back ends here if not.
  bool backward(LayerMatrix matrix, int layer, const T* in, const T* grad_out, T* grad_in);

 private:
  // call(adapter, its low-rank array, its first output) for each adapter beside the matrix.
  template <class Call>
  void for_adapters(LayerMatrix matrix, int layer, Call call) const;

  ModelLayout layout_;
  LoraLayout lora_;
  GradientReach reach_;
  std::size_t rows_;
  const TrainingMemory<T>& arrays_;
  Products<T>& products_;
  LowRank<T> low_rank_;
};

}  // namespace perf::workloads
