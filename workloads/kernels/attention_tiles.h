#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "workloads/kernels/qkv_rows.h"
#include "workloads/kernels/tile_product.h"

namespace perf::workloads {

/// Queries, and keys, of a tile. 64 x 64 scores, with what is multiplied by them, stay in the cache
/// nearest to a core.
inline constexpr std::size_t kTile = 64;

/// What the tiles of a shape have in common.
struct AttentionGrid {
  explicit AttentionGrid(const QkvRows& rows)
      : shape(rows),
        blocks((rows.length + kTile - 1) / kTile),
        columns((rows.size + kPadding - 1) / kPadding * kPadding),
        scale(1.0F / std::sqrt(static_cast<float>(rows.size))) {}

  /// A head's values are padded by zeros to a multiple of this, which every kBlockColumns divides.
  static constexpr std::size_t kPadding = 32;
  static_assert(kPadding % kBlockColumns == 0 && kTile % kPadding == 0);

  QkvRows shape;
  std::size_t blocks;   ///< tiles along a sequence
  std::size_t columns;  ///< of a padded head
  float scale;          ///< of the scores

  std::size_t tasks() const { return shape.sequences * shape.heads; }
  std::size_t tile() const { return kTile * columns; }  ///< values of a padded tile
  std::size_t head() const { return blocks * tile(); }  ///< and of a head, over a sequence
  std::size_t rows_of(std::size_t block) const {
    return std::min(kTile, shape.length - block * kTile);
  }
};

/// One head of one sequence: a task for one thread.
struct HeadTask {
  HeadTask(const QkvRows& shape, std::size_t index)
      : sequence(index / shape.heads),
        head(index % shape.heads),
        kv_head(head * shape.kv_heads / shape.heads),
        first_row(sequence * shape.length),
        query_column(head * shape.size),
        key_column(shape.query_width() + kv_head * shape.size),
        value_column(key_column + shape.kv_width()) {}

  std::size_t sequence, head, kv_head;
  std::size_t first_row;
  std::size_t query_column, key_column, value_column;  ///< in a row of qkv
};

/// Hands out slices of a thread's workspace, or counts them where there is none yet.
class Slices {
 public:
  explicit Slices(float* memory) : memory_(memory) {}
  float* take(std::size_t count) {
    float* taken = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += (count + kAlignment - 1) / kAlignment * kAlignment;
    return taken;
  }
  std::size_t used() const { return used_; }

 private:
  static constexpr std::size_t kAlignment = 16;  // floats in a cache line
  float* memory_;
  std::size_t used_ = 0;
};

struct ForwardTiles {
  ForwardTiles(const AttentionGrid& grid, Slices slices)
      : keys(slices.take(grid.head())),
        values(slices.take(grid.head())),
        queries(slices.take(grid.tile())),
        turned_queries(slices.take(grid.tile())),
        out(slices.take(grid.tile())),
        scores(slices.take(kTile * kTile)),
        shifts(slices.take(kTile)),
        sums(slices.take(kTile)),
        corrections(slices.take(kTile)),
        floats(slices.used()) {}

  float *keys, *values;             ///< (blocks,kTile,columns)
  float *queries, *turned_queries;  ///< (kTile,columns) and (columns,kTile)
  float* out;                       ///< (kTile queries,columns), to be divided by sums
  float* scores;                    ///< (kTile keys,kTile queries)
  float* shifts;                    ///< (kTile queries): the largest score so far
  float *sums, *corrections;        ///< (kTile queries)
  std::size_t floats;
};

struct BackwardTiles {
  BackwardTiles(const AttentionGrid& grid, Slices slices)
      : queries(slices.take(grid.head())),
        grad_out(slices.take(grid.head())),
        grad_queries(slices.take(grid.head())),
        log_sums(slices.take(grid.blocks * kTile)),
        deltas(slices.take(grid.blocks * kTile)),
        keys(slices.take(grid.tile())),
        turned_keys(slices.take(grid.tile())),
        values(slices.take(grid.tile())),
        turned_values(slices.take(grid.tile())),
        probabilities(slices.take(kTile * kTile)),
        grad_scores(slices.take(kTile * kTile)),
        floats(slices.used()) {}

  float *queries, *grad_out, *grad_queries;  ///< (blocks,kTile,columns)
  float *log_sums, *deltas;                  ///< (blocks,kTile queries)
  float *keys, *turned_keys;                 ///< (kTile,columns) and (columns,kTile)
  float *values, *turned_values;
  float *probabilities, *grad_scores;  ///< (kTile queries,kTile keys)
  std::size_t floats;
};

}  // namespace perf::workloads
