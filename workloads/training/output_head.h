#pragma once

#include <vector>

#include "workloads/kernels/products.h"
#include "workloads/training/training_memory.h"

namespace perf::workloads {

/// What stands above the layers: the final norm, the logits by the output's matrix E (V,H), and
/// the mean cross-entropy of N rows. The logits exist for at most setup.loss_rows rows at a time,
/// and are turned into their own gradients where they lie: (N,V) would be the largest array of all.
template <class T>
class OutputHead {
 public:
  OutputHead(const TrainingSetup& setup, const TrainingMemory<T>& arrays, Products<T>& products);

  /// Nats a token. Leaves the gradient of the last layer's output in grad.stream, and those of the
  /// final norm and, of this use, of E where the whole model is trained.
  double loss(const int* targets);

  /// (V) of one row. Uses the memory of loss().
  std::vector<float> logits(std::size_t row);

 private:
  // logits (count,V) of the rows from `first` on, normed already.
  void multiply_logits(std::size_t first, std::size_t count);
  // arrays.last_normed of the rows from `first` on.
  void norm(std::size_t first, std::size_t count);

  ModelLayout layout_;
  bool train_all_;
  std::size_t rows_, chunk_rows_;
  float loss_scale_;
  const TrainingMemory<T>& arrays_;
  Products<T>& products_;
};

}  // namespace perf::workloads
