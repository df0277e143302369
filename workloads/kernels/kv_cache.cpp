#include "workloads/kernels/kv_cache.h"

#include <stdexcept>

namespace perf::workloads {

KvCache KvCache::take(DType dtype, std::size_t sequences, std::size_t kv_heads,
                      std::size_t capacity, std::size_t size, Ledger& memory) {
  KvCache cache{.dtype = dtype,
                .sequences = sequences,
                .kv_heads = kv_heads,
                .capacity = capacity,
                .size = size};
  cache.keys = memory.take<std::byte>(Purpose::kv_cache, cache.bytes() / 2);
  cache.values = memory.take<std::byte>(Purpose::kv_cache, cache.bytes() / 2);
  return cache;
}

std::size_t KvCache::bytes() const {
  return 2 * sequences * kv_heads * capacity * size * bytes_of(dtype);
}

void require_room(const QkvRows& rows, std::size_t start, const KvCache& cache) {
  if (rows.sequences != cache.sequences || rows.kv_heads != cache.kv_heads ||
      rows.size != cache.size || start > cache.capacity || rows.length > cache.capacity - start) {
    throw std::logic_error("rows that do not fit the KV cache");
  }
}

namespace {

template <class T>
void store(const QkvRows& rows, const float* qkv, std::size_t start, const KvCache& cache,
           std::size_t row, std::size_t kv_head) {
  const float* keys = qkv + row * rows.width() + rows.query_width() + kv_head * rows.size;
  const float* values = keys + rows.kv_width();
  const std::size_t to =
      cache.offset(row / rows.length, kv_head) + (start + row % rows.length) * rows.size;
  T* stored_keys = reinterpret_cast<T*>(cache.keys) + to;
  T* stored_values = reinterpret_cast<T*>(cache.values) + to;
#pragma omp simd
  for (std::size_t i = 0; i < rows.size; ++i) {
    stored_keys[i] = narrow<T>(keys[i]);
    stored_values[i] = narrow<T>(values[i]);
  }
}

template <class T>
void store_all(const QkvRows& rows, const float* qkv, std::size_t start, const KvCache& cache) {
  // A few rows take less time than to wake the threads.
#pragma omp parallel for schedule(static) if (rows.rows() > 16)
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    for (std::size_t kv_head = 0; kv_head < rows.kv_heads; ++kv_head) {
      store<T>(rows, qkv, start, cache, row, kv_head);
    }
  }
}

}  // namespace

void store_keys_values(const QkvRows& rows, const float* qkv, std::size_t start, KvCache& cache) {
  require_room(rows, start, cache);
  switch (cache.dtype) {
    case DType::fp32:
      return store_all<float>(rows, qkv, start, cache);
    case DType::bf16:
      return store_all<Bf16>(rows, qkv, start, cache);
    case DType::fp16:
      return store_all<Fp16>(rows, qkv, start, cache);
  }
}

}  // namespace perf::workloads
