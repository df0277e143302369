#pragma once

#include <cstddef>

namespace perf::workloads {

/// Grouped-query attention over a KV cache (Ainslie et al., arXiv:2305.13245): query head h reads
/// key-value head h * kv_heads / heads.
struct Attention {
  std::size_t heads = 1, kv_heads = 1, size = 64;  ///< size S of a head
  std::size_t capacity = 0;                        ///< positions a cache has room for

  std::size_t cache_values() const { return kv_heads * capacity * size; }
};

/// For each of `count` queries at positions start, start+1, ...:
///     out = softmax(q . k / sqrt(S)) v   over the positions 0 .. its own
/// queries (count, row_stride floats a row, heads*S of them used), out (count,heads*S),
/// keys, values (kv_heads,capacity,S), scores: workspace of threads * capacity floats.
void attention(const Attention& shape, const float* queries, std::size_t row_stride,
               const float* keys, const float* values, std::size_t start, std::size_t count,
               float* scores, float* out);

}  // namespace perf::workloads
