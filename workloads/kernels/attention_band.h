#pragma once

#include <algorithm>
#include <cstddef>

#include "workloads/kernels/attention_tiles.h"
#include "workloads/kernels/kv_cache.h"
#include "workloads/kernels/qkv_rows.h"

namespace perf::workloads {

/// New rows over a cache. The query heads of a key-value head are rows of one matrix, position by
/// position: row r is head r % group at position start + r / group. A band is some of these rows;
/// it passes once over its keys and values.
struct CachedRows {
  QkvRows shape;
  std::size_t start = 0;
  bool causal = true;

  std::size_t group() const { return shape.heads / shape.kv_heads; }
  std::size_t rows() const { return group() * shape.length; }
  std::size_t end() const { return start + shape.length; }
  /// How many positions a row sees.
  std::size_t seen(std::size_t row) const { return causal ? start + row / group() + 1 : end(); }
  std::size_t columns() const {
    constexpr std::size_t kPadding = AttentionGrid::kPadding;
    return (shape.size + kPadding - 1) / kPadding * kPadding;
  }
};

/// Rows [first, first + count) of a key-value head of a sequence, over positions [begin, end).
struct Band {
  std::size_t sequence, kv_head;
  std::size_t first, count;
  std::size_t begin, end;
};

/// What a band gathers; rows are padded to tiles, columns to those of CachedRows.
struct BandTiles {
  BandTiles(std::size_t rows, std::size_t columns, Slices slices)
      : queries(slices.take(rows * columns)),
        out(slices.take(rows * columns)),
        largest(slices.take(rows)),
        sums(slices.take(rows)),
        scores(slices.take(kTile * kTile)),
        keys(slices.take(kTile * columns)),
        turned_keys(slices.take(kTile * columns)),
        values(slices.take(kTile * columns)),
        floats(slices.used()) {}

  float *queries, *out;       ///< (rows,columns); out is to be divided by sums
  float *largest, *sums;      ///< (rows): the largest score * log2(e); the sum of e^(score - it)
  float* scores;              ///< (kTile queries,kTile keys)
  float *keys, *turned_keys;  ///< (kTile,columns) and (columns,kTile)
  float* values;              ///< (kTile,columns)
  std::size_t floats;
};

/// Fills out, largest and sums of the band's rows. A row that sees none of the positions has sum 0
/// and the largest -infinity. On one thread.
void attend_band(const CachedRows& rows, const Band& band, const float* qkv, const KvCache& cache,
                 BandTiles& tiles);

}  // namespace perf::workloads
