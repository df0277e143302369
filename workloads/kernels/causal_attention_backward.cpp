#include <omp.h>

#include <algorithm>

#include "workloads/kernels/attention_tiles.h"
#include "workloads/kernels/causal_attention.h"
#include "workloads/kernels/dtype.h"
#include "workloads/kernels/fast_exp.h"
#include "workloads/kernels/tile_pack.h"

namespace perf::workloads {

namespace {

// Queries, the gradient of their results, and for each query its log sum and its
// delta = grad_out . out, what softmax's gradient subtracts from every probability's.
template <class T>
void take_queries(const AttentionGrid& grid, const HeadTask& task, const T* qkv, const T* out,
                  const float* log_sums, const T* grad_out, BackwardTiles& tiles) {
  const QkvRows& shape = grid.shape;
  const std::size_t padded = grid.blocks * kTile, width = shape.query_width();
  const std::size_t first = task.first_row * width + task.query_column;
  widen_tile(qkv + task.first_row * shape.width() + task.query_column, shape.width(), shape.length,
             shape.size, tiles.queries, padded, grid.columns);
  widen_tile(grad_out + first, width, shape.length, shape.size, tiles.grad_out, padded,
             grid.columns);
  const float* sums = log_sums + task.head * shape.rows() + task.first_row;
  std::copy(sums, sums + shape.length, tiles.log_sums);
  std::fill(tiles.log_sums + shape.length, tiles.log_sums + padded, 0.0F);
  std::fill(tiles.deltas + shape.length, tiles.deltas + padded, 0.0F);
  for (std::size_t query = 0; query < shape.length; ++query) {
    const T* result = out + first + query * width;
    const float* gradient = tiles.grad_out + query * grid.columns;
    float delta = 0;
#pragma omp simd reduction(+ : delta)
    for (std::size_t i = 0; i < shape.size; ++i) {
      delta += widen(result[i]) * gradient[i];
    }
    tiles.deltas[query] = delta;
  }
  std::fill(tiles.grad_queries, tiles.grad_queries + grid.head(), 0.0F);
}

template <class T>
void take_keys(const AttentionGrid& grid, const HeadTask& task, std::size_t block, const T* qkv,
               BackwardTiles& tiles) {
  const QkvRows& shape = grid.shape;
  const T* rows = qkv + (task.first_row + block * kTile) * shape.width();
  widen_tile(rows + task.key_column, shape.width(), grid.rows_of(block), shape.size, tiles.keys,
             kTile, grid.columns);
  widen_tile(rows + task.value_column, shape.width(), grid.rows_of(block), shape.size, tiles.values,
             kTile, grid.columns);
  transpose_tile(tiles.keys, kTile, grid.columns, tiles.turned_keys);
  transpose_tile(tiles.values, kTile, grid.columns, tiles.turned_values);
}

// Raw scores of one query (kTile keys) -> probabilities, 0 past the keys that it may see.
void to_probabilities(float* row, float scale, float log_sum, std::size_t visible) {
#pragma omp simd
  for (std::size_t i = 0; i < kTile; ++i) {
    row[i] = fast_exp(row[i] * scale - log_sum);
  }
  std::fill(row + visible, row + kTile, 0.0F);
}

// The gradient of one query's probabilities -> of its scores, before they are scaled.
void to_score_gradients(float* row, const float* probabilities, float delta) {
#pragma omp simd
  for (std::size_t i = 0; i < kTile; ++i) {
    row[i] = probabilities[i] * (row[i] - delta);
  }
}

// What one tile of queries adds to the gradients of one tile of keys and values, and of itself.
void add_queries(const AttentionGrid& grid, std::size_t block, std::size_t key_block,
                 float* grad_keys, float* grad_values, BackwardTiles& tiles) {
  const std::size_t columns = grid.columns, at = block * grid.tile();
  const std::size_t queries = grid.rows_of(block), keys = grid.rows_of(key_block);
  const bool diagonal = block == key_block;
  const Part lower = diagonal ? Part::lower : Part::all;
  const Part upper = diagonal ? Part::upper : Part::all;
  const Matrix<const float> query_rows{tiles.queries + at, columns};
  const Matrix<const float> grad_rows{tiles.grad_out + at, columns};
  const Matrix<const float> probabilities{tiles.probabilities, kTile};
  const Matrix<const float> grad_scores{tiles.grad_scores, kTile};

  multiply_part<Order::rows>(lower, {queries, kTile, columns}, query_rows,
                             {tiles.turned_keys, kTile}, {tiles.probabilities, kTile});
  for (std::size_t query = 0; query < queries; ++query) {
    to_probabilities(tiles.probabilities + query * kTile, grid.scale,
                     tiles.log_sums[block * kTile + query], diagonal ? query + 1 : kTile);
  }
  multiply_add<Order::columns>(upper, {keys, columns, queries}, probabilities, grad_rows,
                               {grad_values, columns});

  multiply_part<Order::rows>(lower, {queries, kTile, columns}, grad_rows,
                             {tiles.turned_values, kTile}, {tiles.grad_scores, kTile});
  for (std::size_t query = 0; query < queries; ++query) {
    to_score_gradients(tiles.grad_scores + query * kTile, tiles.probabilities + query * kTile,
                       tiles.deltas[block * kTile + query]);
  }
  multiply_add<Order::columns>(upper, {keys, columns, queries}, grad_scores, query_rows,
                               {grad_keys, columns});
  multiply_add<Order::rows>(lower, {queries, columns, keys}, grad_scores, {tiles.keys, columns},
                            {tiles.grad_queries + at, columns});
}

// All of one query head. grad_keys, grad_values (blocks,kTile,columns): its share of them.
template <class T>
void backward_head(const AttentionGrid& grid, const HeadTask& task, const T* qkv, float* grad_keys,
                   float* grad_values, T* grad_qkv, BackwardTiles& tiles) {
  const QkvRows& shape = grid.shape;
  std::fill(grad_keys, grad_keys + grid.head(), 0.0F);
  std::fill(grad_values, grad_values + grid.head(), 0.0F);
  for (std::size_t key_block = 0; key_block < grid.blocks; ++key_block) {
    take_keys(grid, task, key_block, qkv, tiles);
    const std::size_t at = key_block * grid.tile();
    for (std::size_t block = key_block; block < grid.blocks; ++block) {
      add_queries(grid, block, key_block, grad_keys + at, grad_values + at, tiles);
    }
  }
  for (std::size_t query = 0; query < shape.length; ++query) {
    const float* from = tiles.grad_queries + query * grid.columns;
    T* to = grad_qkv + (task.first_row + query) * shape.width() + task.query_column;
#pragma omp simd
    for (std::size_t i = 0; i < shape.size; ++i) {
      to[i] = narrow<T>(from[i] * grid.scale);
    }
  }
}

// to (rows,size), a row of which is to_stride long, = factor * the sum of the padded tiles of a
// group's query heads; each lies `stride` after the one before.
template <class T>
void sum_group(const AttentionGrid& grid, const float* tiles, std::size_t stride, std::size_t rows,
               float factor, T* to, std::size_t to_stride) {
  const std::size_t group = grid.shape.heads / grid.shape.kv_heads, size = grid.shape.size;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t begin = 0; begin < size; begin += kLanes) {
      const float* first = tiles + row * grid.columns + begin;
      Lanes sum = lanes(first);
      for (std::size_t member = 1; member < group; ++member) {
        sum += lanes(first + member * stride);
      }
      sum *= factor;
      const std::size_t count = std::min(kLanes, size - begin);
      for (std::size_t i = 0; i < count; ++i) {
        to[row * to_stride + begin + i] = narrow<T>(sum[i]);
      }
    }
  }
}

}  // namespace

template <class T>
void CausalAttention<T>::backward(const T* qkv, const T* out, const float* log_sums,
                                  const T* grad_out, T* grad_qkv) {
  const AttentionGrid grid(shape_);
  const std::size_t head_stride = 2 * grid.head(), group = shape_.heads / shape_.kv_heads;
#pragma omp parallel num_threads(threads())
  {
    BackwardTiles tiles(grid, Slices(workspace_of(omp_get_thread_num())));
#pragma omp for schedule(dynamic)
    for (std::size_t index = 0; index < grid.tasks(); ++index) {
      const HeadTask task(shape_, index);
      float* grad_keys = grad_keys_values_ + index * head_stride;
      take_queries(grid, task, qkv, out, log_sums, grad_out, tiles);
      backward_head(grid, task, qkv, grad_keys, grad_keys + grid.head(), grad_qkv, tiles);
    }
#pragma omp for collapse(2) schedule(static)
    for (std::size_t pair = 0; pair < shape_.sequences * shape_.kv_heads; ++pair) {
      for (std::size_t block = 0; block < grid.blocks; ++block) {
        const std::size_t index = pair * group;  // of the group's first query head
        const HeadTask task(shape_, index);
        const float* grad_keys = grad_keys_values_ + index * head_stride + block * grid.tile();
        T* to = grad_qkv + (task.first_row + block * kTile) * shape_.width();
        sum_group(grid, grad_keys, head_stride, grid.rows_of(block), grid.scale,
                  to + task.key_column, shape_.width());
        sum_group(grid, grad_keys + grid.head(), head_stride, grid.rows_of(block), 1.0F,
                  to + task.value_column, shape_.width());
      }
    }
  }
}

template void CausalAttention<float>::backward(const float*, const float*, const float*,
                                               const float*, float*);
template void CausalAttention<Bf16>::backward(const Bf16*, const Bf16*, const float*, const Bf16*,
                                              Bf16*);
template void CausalAttention<Fp16>::backward(const Fp16*, const Fp16*, const float*, const Fp16*,
                                              Fp16*);

}  // namespace perf::workloads
