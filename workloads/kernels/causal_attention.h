#pragma once

#include <cstddef>

#include "workloads/kernels/ledger.h"
#include "workloads/kernels/qkv_rows.h"

namespace perf::workloads {

/// Causal grouped-query attention over whole sequences, for training: out = softmax(q k^T /
/// sqrt(S)) v over the positions up to a row's own; query head h reads key-value head h * kv_heads
/// / heads. Tile by tile as FlashAttention does it (Dao et al., arXiv:2205.14135, algorithms 1 and
/// 4): the probabilities are never stored, only the logarithm of each row's sum, and tiles that lie
/// wholly in the future are skipped. One object serves all layers; its workspace is fixed. Computed
/// in single precision whatever T is. A head of a sequence is one thread's task, and what heads
/// share is summed in their order: the result does not depend on the number of threads.
///
/// Workspace, in floats, with L the length rounded up to 64 and S the head size rounded up to 32:
///     each thread   3 L S + 256 S + 2 L + 8192     (queries, their gradients, tiles)
///     all threads   2 sequences heads L S          (gradients of keys and values, per query head)
template <class T>
class CausalAttention {
 public:
  /// Any length and any even head size; heads is a multiple of kv_heads. The calls below use at
  /// most as many threads as OpenMP has at this time.
  CausalAttention(const QkvRows& shape, Ledger& memory);

  /// qkv (rows,width), rotated -> out (rows,query_width); log_sums (heads,rows).
  void forward(const T* qkv, T* out, float* log_sums);

  /// grad_out (rows,query_width) -> grad_qkv (rows,width), overwritten. The others as forward left
  /// them.
  void backward(const T* qkv, const T* out, const float* log_sums, const T* grad_out, T* grad_qkv);

  /// Floating-point operations of the products that causality leaves: forward, and backward with
  /// the recomputed scores not counted.
  static double forward_operations(const QkvRows& shape);
  static double backward_operations(const QkvRows& shape);

 private:
  int threads() const;
  float* workspace_of(int thread) const;

  QkvRows shape_;
  int most_threads_ = 1;
  std::size_t per_thread_ = 0;
  float* workspace_ = nullptr;         // (most_threads_,per_thread_)
  float* grad_keys_values_ = nullptr;  // (sequences,heads,2,blocks,tile): keys' beside values'
};

}  // namespace perf::workloads
