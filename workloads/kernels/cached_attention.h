#pragma once

#include <cstddef>

#include "workloads/kernels/kv_cache.h"

namespace perf::workloads {

/// Grouped-query attention (Ainslie et al., arXiv:2305.13245) of new rows over a KV cache that
/// holds them already: out = softmax(q k^T / sqrt(S)) v; query head h reads key-value head
/// h * kv_heads / heads. A query at position p sees the positions 0 .. p, or, where it is not
/// causal, all up to the last new row. Tile by tile (FlashAttention, arXiv:2205.14135, algorithm
/// 1), so that the scores are never stored; the query heads that share keys and values share each
/// load of them. Where the new rows are few, as in decoding, the positions are split among the
/// threads, and the parts merged (Dao et al., "Flash-Decoding for long-context inference", 2023).
/// In single precision whatever the cache's type is. What is split depends on the shape only: the
/// result does not depend on the number of threads.
///
/// Workspace, in floats, with R = min(256, heads / kv_heads * length, rounded up to 64) and S the
/// head size rounded up to 32:
///     each thread   2 R S + 2 R + 192 S + 4096           (queries, results, one tile of keys)
///     all threads   sequences kv_heads capacity / 256 (rounded up) min(R, 64) (S + 2)   (parts)
class CachedAttention {
 public:
  /// `most`: as many sequences as will come, and their longest call; `capacity`: of the caches. The
  /// calls below use at most as many threads as OpenMP has at this time.
  CachedAttention(const QkvRows& most, std::size_t capacity, Ledger& memory);

  /// qkv (rows,width), rotated, at the positions start .. start + rows.length of each sequence ->
  /// out (rows,query_width). Throws std::logic_error for rows that do not fit the cache, or that
  /// are not of the shape and capacity that the object was made for.
  void forward(const QkvRows& rows, const float* qkv, std::size_t start, const KvCache& cache,
               bool causal, float* out);

 private:
  QkvRows most_;
  std::size_t capacity_ = 0;
  int most_threads_ = 1;
  std::size_t band_rows_ = 0, per_thread_ = 0;
  float* workspace_ = nullptr;  // (most_threads_,per_thread_)
  float* parts_ = nullptr;      // (sequences,kv_heads,splits) of a part each
};

/// Plain loops in double precision.
void cached_attention_reference(const QkvRows& rows, const float* qkv, std::size_t start,
                                const KvCache& cache, bool causal, float* out);

}  // namespace perf::workloads
