#pragma once

#include <cstddef>

#include "workloads/kernels/ledger.h"
#include "workloads/kernels/qkv_rows.h"

namespace perf::workloads {

/// Attention over whole sequences, forward only, in single precision:
///     out = softmax(q k^T / sqrt(S)) v
/// over all positions of a row's sequence, or where it is causal over those up to its own. Shapes
/// as QkvRows says: qkv (rows,width), q, k and v side by side; out (rows,query_width); query head h
/// reads key-value head h * kv_heads / heads. Any length and head size (tiled: even head sizes);
/// heads is a multiple of kv_heads. A NaN in a row of q makes a row of NaN. The results do not
/// depend on the number of threads.

/// Naive: the scores of a head (length,length) as a whole: a product by BLAS, softmax by rows, a
/// product. Causal rows are computed whole and then cut: causality saves only the exponentials.
///
/// Workspace, in floats: length^2.
class NaiveAttention {
 public:
  NaiveAttention(const QkvRows& shape, bool causal, Ledger& memory);
  void forward(const float* qkv, float* out);

 private:
  QkvRows shape_;
  bool causal_;
  float* scores_ = nullptr;  // (length,length), of one head
};

/// Tiled: FlashAttention (Dao et al., arXiv:2205.14135, algorithm 1), by the code that
/// CausalAttention trains with: the scores are never stored, and tiles that lie wholly in the
/// future are skipped. A head of a sequence is one thread's task.
///
/// Workspace of each thread, in floats, with L the length rounded up to 64 and S the head size
/// rounded up to 32:
///     2 L S + 192 S + 4288
class TiledAttention {
 public:
  /// The calls below use at most as many threads as OpenMP has at this time.
  TiledAttention(const QkvRows& shape, bool causal, Ledger& memory);
  void forward(const float* qkv, float* out);

 private:
  QkvRows shape_;
  bool causal_;
  int most_threads_ = 1;
  std::size_t per_thread_ = 0;
  float* workspace_ = nullptr;  // (most_threads_,per_thread_)
};

/// Floating-point operations of the two products that the definition takes, of the pairs of
/// positions that see each other, whatever is computed beyond: so that variants compare.
double attention_operations(const QkvRows& shape, bool causal);

/// Rows first, first + step, ... of out, the others untouched: plain loops in double precision.
void attention_reference(const QkvRows& shape, bool causal, const float* qkv, float* out,
                         std::size_t first = 0, std::size_t step = 1);

}  // namespace perf::workloads
