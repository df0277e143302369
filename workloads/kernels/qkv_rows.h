#pragma once

#include <cstddef>

namespace perf::workloads {

/// Where queries and keys lie in rows of q, k and v side by side.
struct QkvRows {
  std::size_t sequences = 1,
              length = 1;  ///< rows = sequences * length; a row's position is row % length
  std::size_t heads = 1, kv_heads = 1, size = 64;

  std::size_t rows() const { return sequences * length; }
  std::size_t query_width() const { return heads * size; }
  std::size_t kv_width() const { return kv_heads * size; }
  std::size_t width() const { return query_width() + 2 * kv_width(); }
};

}  // namespace perf::workloads
