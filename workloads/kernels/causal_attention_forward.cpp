#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "workloads/kernels/attention_tiles.h"
#include "workloads/kernels/causal_attention.h"
#include "workloads/kernels/dtype.h"
#include "workloads/kernels/fast_exp.h"
#include "workloads/kernels/tile_pack.h"

namespace perf::workloads {

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// scores (keys,kTile queries), raw -> exp(scale (score - largest)), where `largest` (kTile) is the
// largest of each query so far; sums and corrections follow, as in the online softmax (Milakov and
// Gimelshein, arXiv:1805.02867). Queries lie side by side so that nothing is reduced within a
// register. keys: a multiple of 4.
void exponentiate(float* scores, std::size_t keys, float scale, ForwardTiles& tiles) {
  float* largest = tiles.largest;
  float* sums = tiles.sums;
  float shift[kTile], now[kTile];
  std::copy(largest, largest + kTile, now);
  for (std::size_t key = 0; key < keys; key += 4) {
    const float* row = scores + key * kTile;
#pragma omp simd
    for (std::size_t i = 0; i < kTile; ++i) {
      const float a = std::max(row[i], row[kTile + i]);
      const float b = std::max(row[2 * kTile + i], row[3 * kTile + i]);
      now[i] = std::max(now[i], std::max(a, b));
    }
  }
#pragma omp simd
  for (std::size_t i = 0; i < kTile; ++i) {
    shift[i] = now[i] * scale;
    tiles.corrections[i] = fast_exp(largest[i] * scale - shift[i]);
    sums[i] *= tiles.corrections[i];
    largest[i] = now[i];
  }
  for (std::size_t key = 0; key < keys; ++key) {
    float* row = scores + key * kTile;
#pragma omp simd
    for (std::size_t i = 0; i < kTile; ++i) {
      row[i] = fast_exp(row[i] * scale - shift[i]);
      sums[i] += row[i];
    }
  }
}

// Adds one tile of keys to what a tile of queries has gathered. On the diagonal, queries see the
// keys up to their own only.
void add_keys(const AttentionGrid& grid, const float* keys, const float* values,
              std::size_t key_count, std::size_t query_count, bool diagonal, ForwardTiles& tiles) {
  const std::size_t columns = grid.columns;
  const std::size_t depth = (key_count + kBlockRows - 1) / kBlockRows * kBlockRows;
  float* scores = tiles.scores;
  multiply_part<Order::rows>(diagonal ? Part::upper : Part::all, {depth, kTile, columns},
                             {keys, columns}, {tiles.turned_queries, kTile}, {scores, kTile});
  if (diagonal)
    for (std::size_t key = 1; key < depth; ++key)
      std::fill(scores + key * kTile, scores + key * kTile + key, kMinusInfinity);
  exponentiate(scores, depth, grid.scale, tiles);
  if (diagonal)  // fast_exp is small there, but not 0
    for (std::size_t key = 1; key < depth; ++key)
      std::fill(scores + key * kTile, scores + key * kTile + key, 0.0F);

  for (std::size_t query = 0; query < query_count; ++query) {
    float* row = tiles.out + query * columns;
#pragma omp simd
    for (std::size_t i = 0; i < columns; ++i)
      row[i] *= tiles.corrections[query];
  }
  multiply_add<Order::columns>(diagonal ? Part::lower : Part::all, {query_count, columns, depth},
                               {scores, kTile}, {values, columns}, {tiles.out, columns});
}

// One tile of queries of one head, over all keys that it may see.
template <class T>
void forward_block(const AttentionGrid& grid, const HeadTask& task, std::size_t block, const T* qkv,
                   T* out, float* log_sums, ForwardTiles& tiles) {
  const QkvRows& shape = grid.shape;
  const std::size_t queries = grid.rows_of(block), row = task.first_row + block * kTile;
  widen_tile(qkv + row * shape.width() + task.query_column, shape.width(), queries, shape.size,
             tiles.queries, kTile, grid.columns);
  transpose_tile(tiles.queries, kTile, grid.columns, tiles.turned_queries);
  std::fill(tiles.out, tiles.out + grid.tile(), 0.0F);
  std::fill(tiles.largest, tiles.largest + kTile, kMinusInfinity);
  std::fill(tiles.sums, tiles.sums + kTile, 0.0F);

  for (std::size_t key_block = 0; key_block <= block; ++key_block)
    add_keys(grid, tiles.keys + key_block * grid.tile(), tiles.values + key_block * grid.tile(),
             grid.rows_of(key_block), queries, key_block == block, tiles);

  for (std::size_t query = 0; query < queries; ++query) {
    const float inverse = 1.0F / tiles.sums[query];
    const float* from = tiles.out + query * grid.columns;
    T* to = out + (row + query) * shape.query_width() + task.query_column;
#pragma omp simd
    for (std::size_t i = 0; i < shape.size; ++i)
      to[i] = narrow<T>(from[i] * inverse);
    log_sums[task.head * shape.rows() + row + query] =
        tiles.largest[query] * grid.scale + std::log(tiles.sums[query]);
  }
}

}  // namespace

template <class T>
void CausalAttention<T>::forward(const T* qkv, T* out, float* log_sums) {
  const AttentionGrid grid(shape_);
#pragma omp parallel num_threads(threads())
  {
    ForwardTiles tiles(grid, Slices(workspace_of(omp_get_thread_num())));
    std::size_t packed = std::numeric_limits<std::size_t>::max();  // which keys and values
#pragma omp for schedule(dynamic)
    for (std::size_t index = 0; index < grid.tasks(); ++index) {
      const HeadTask task(shape_, index);
      const T* rows = qkv + task.first_row * shape_.width();
      const std::size_t wanted = task.sequence * shape_.kv_heads + task.kv_head;
      if (packed != wanted) {
        widen_tile(rows + task.key_column, shape_.width(), shape_.length, shape_.size, tiles.keys,
                   grid.blocks * kTile, grid.columns);
        widen_tile(rows + task.value_column, shape_.width(), shape_.length, shape_.size,
                   tiles.values, grid.blocks * kTile, grid.columns);
        packed = wanted;
      }
      for (std::size_t block = 0; block < grid.blocks; ++block)
        forward_block(grid, task, block, qkv, out, log_sums, tiles);
    }
  }
}

template void CausalAttention<float>::forward(const float*, float*, float*);
template void CausalAttention<Bf16>::forward(const Bf16*, Bf16*, float*);
template void CausalAttention<Fp16>::forward(const Fp16*, Fp16*, float*);

}  // namespace perf::workloads
