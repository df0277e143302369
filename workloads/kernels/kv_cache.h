#pragma once

#include <cstddef>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/ledger.h"
#include "workloads/kernels/qkv_rows.h"

namespace perf::workloads {

/// Keys, rotated, and values of one layer: what decoding needs of the tokens before. A head's
/// positions lie side by side, so that attention reads memory in one run.
struct KvCache {
  DType dtype = DType::fp32;
  std::size_t sequences = 1, kv_heads = 1, capacity = 0, size = 64;  ///< positions, head size S
  std::byte *keys = nullptr, *values = nullptr;  ///< (sequences,kv_heads,capacity,S) each

  /// Takes its memory as Purpose::kv_cache.
  static KvCache take(DType dtype, std::size_t sequences, std::size_t kv_heads,
                      std::size_t capacity, std::size_t size, Ledger& memory);
  /// Keys and values: 2 sequences kv_heads capacity S values.
  std::size_t bytes() const;
  /// In values, from the first of all, where a head of a sequence begins.
  std::size_t offset(std::size_t sequence, std::size_t kv_head) const {
    return (sequence * kv_heads + kv_head) * capacity * size;
  }
};

/// Puts the keys and values of qkv (rows,width), rotated already, at the positions `start`,
/// start + 1, ... of each sequence, rounded to the cache's type. Throws std::logic_error where
/// they do not fit: another number of sequences or heads, another head size, or past the capacity.
void store_keys_values(const QkvRows& rows, const float* qkv, std::size_t start, KvCache& cache);

/// Throws std::logic_error where rows from `start` on do not fit the cache.
void require_room(const QkvRows& rows, std::size_t start, const KvCache& cache);

}  // namespace perf::workloads
