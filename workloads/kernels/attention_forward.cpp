#include "workloads/kernels/attention_forward.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/row_lanes.h"
#include "workloads/kernels/tile_pack.h"

namespace perf::workloads {

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// scores (keys,kTile queries), raw -> e^(scale score - shift), where shift is the largest of its
// query so far. Shifts, sums and corrections follow, as in the online softmax (Milakov and
// Gimelshein, arXiv:1805.02867). Queries lie side by side so that nothing is reduced within a
// register. On the diagonal, what a whole register does not see becomes 0. key_count: a multiple
// of 4.
void exponentiate(float* scores, std::size_t key_count, bool diagonal, float scale,
                  ForwardTiles& tiles) {
  for (std::size_t query = 0; query < kTile; query += kLanes) {
    const std::size_t keys = diagonal ? std::min(key_count, query + kLanes) : key_count;
    const auto row = [&](std::size_t key) -> Lanes& { return lanes(scores + key * kTile + query); };
    Lanes largest[4] = {row(0), row(1), row(2), row(3)};
    for (std::size_t key = 4; key < keys; key += 4) {
      for (std::size_t i = 0; i < 4; ++i) {
        largest[i] = larger(largest[i], row(key + i));
      }
    }
    const Lanes most = larger(larger(largest[0], largest[1]), larger(largest[2], largest[3]));
    const Lanes before = lanes(tiles.shifts + query), shift = larger(before, most * scale);
    Lanes sums[2] = {};
    for (std::size_t key = 0; key < keys; key += 2) {
      for (std::size_t i = 0; i < 2; ++i) {
        row(key + i) = exp_of_negative(row(key + i) * scale - shift);
        sums[i] += row(key + i);
      }
    }
    for (std::size_t key = keys; key < key_count; ++key) {
      row(key) = Lanes{};
    }
    // Of what the tiles before were shifted by, rounding included: 1 where it stays.
    const Lanes correction = exp_of_negative(before - shift);
    lanes(tiles.corrections + query) = correction;
    lanes(tiles.sums + query) = lanes(tiles.sums + query) * correction + (sums[0] + sums[1]);
    lanes(tiles.shifts + query) = shift;
  }
}

// scores (keys,kTile queries): -infinity where a query does not see the key. On the diagonal it
// sees those up to its own; in no tile those from key_count on, which only fill it.
void hide_unseen(float* scores, std::size_t key_count, std::size_t keys, bool diagonal) {
  for (std::size_t key = 1; diagonal && key < key_count; ++key) {
    std::fill(scores + key * kTile, scores + key * kTile + key, kMinusInfinity);
  }
  std::fill(scores + key_count * kTile, scores + keys * kTile, kMinusInfinity);
}

// Adds one tile of keys to what a tile of queries has gathered.
void add_keys(const AttentionGrid& grid, const float* keys, const float* values,
              std::size_t key_count, std::size_t query_count, bool diagonal, ForwardTiles& tiles) {
  const std::size_t columns = grid.columns;
  const std::size_t depth = (key_count + kLastRows - 1) / kLastRows * kLastRows;
  float* scores = tiles.scores;
  multiply_part<Order::rows>(diagonal ? Part::upper : Part::all, {depth, kTile, columns},
                             {keys, columns}, {tiles.turned_queries, kTile}, {scores, kTile});
  hide_unseen(scores, key_count, depth, diagonal);
  exponentiate(scores, depth, diagonal, grid.scale, tiles);
  multiply_add<Order::columns>(diagonal ? Part::lower : Part::all, {query_count, columns, depth},
                               {scores, kTile}, {values, columns}, {tiles.out, columns},
                               tiles.corrections);
}

// One tile of queries of one head, over all keys that it may see.
template <class T>
void attend_block(const AttentionGrid& grid, bool causal, const HeadTask& task, std::size_t block,
                  const T* qkv, T* out, float* log_sums, ForwardTiles& tiles) {
  const QkvRows& shape = grid.shape;
  const std::size_t queries = grid.rows_of(block), row = task.first_row + block * kTile;
  widen_tile(qkv + row * shape.width() + task.query_column, shape.width(), queries, shape.size,
             tiles.queries, kTile, grid.columns);
  transpose_tile(tiles.queries, kTile, grid.columns, tiles.turned_queries);
  std::fill(tiles.out, tiles.out + grid.tile(), 0.0F);
  std::fill(tiles.shifts, tiles.shifts + kTile, kMinusInfinity);
  std::fill(tiles.sums, tiles.sums + kTile, 0.0F);

  const std::size_t end = causal ? block + 1 : grid.blocks;
  for (std::size_t key_block = 0; key_block < end; ++key_block) {
    add_keys(grid, tiles.keys + key_block * grid.tile(), tiles.values + key_block * grid.tile(),
             grid.rows_of(key_block), queries, causal && key_block == block, tiles);
  }

  for (std::size_t query = 0; query < queries; ++query) {
    const float inverse = 1.0F / tiles.sums[query];
    const float* from = tiles.out + query * grid.columns;
    T* to = out + (row + query) * shape.query_width() + task.query_column;
#pragma omp simd
    for (std::size_t i = 0; i < shape.size; ++i) {
      to[i] = narrow<T>(from[i] * inverse);
    }
    if (log_sums != nullptr) {
      log_sums[task.head * shape.rows() + row + query] =
          tiles.shifts[query] + std::log(tiles.sums[query]);
    }
  }
}

}  // namespace

template <class T>
void attend_sequences(const AttentionGrid& grid, bool causal, const T* qkv, T* out, float* log_sums,
                      const ThreadTiles& workspace) {
  const QkvRows& shape = grid.shape;
#pragma omp parallel num_threads(workspace.threads)
  {
    const std::size_t thread = static_cast<std::size_t>(omp_get_thread_num());
    ForwardTiles tiles(grid, Slices(workspace.memory + thread * workspace.floats));
    std::size_t packed = std::numeric_limits<std::size_t>::max();  // which keys and values
#pragma omp for schedule(dynamic)
    for (std::size_t index = 0; index < grid.tasks(); ++index) {
      const HeadTask task(shape, index);
      const T* rows = qkv + task.first_row * shape.width();
      const std::size_t wanted = task.sequence * shape.kv_heads + task.kv_head;
      if (packed != wanted) {
        widen_tile(rows + task.key_column, shape.width(), shape.length, shape.size, tiles.keys,
                   grid.blocks * kTile, grid.columns);
        widen_tile(rows + task.value_column, shape.width(), shape.length, shape.size, tiles.values,
                   grid.blocks * kTile, grid.columns);
        packed = wanted;
      }
      for (std::size_t block = 0; block < grid.blocks; ++block) {
        attend_block(grid, causal, task, block, qkv, out, log_sums, tiles);
      }
    }
  }
}

template void attend_sequences(const AttentionGrid&, bool, const float*, float*, float*,
                               const ThreadTiles&);
template void attend_sequences(const AttentionGrid&, bool, const Bf16*, Bf16*, float*,
                               const ThreadTiles&);
template void attend_sequences(const AttentionGrid&, bool, const Fp16*, Fp16*, float*,
                               const ThreadTiles&);

}  // namespace perf::workloads
