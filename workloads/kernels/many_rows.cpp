#include "workloads/kernels/many_rows.h"

#include <omp.h>

#include <algorithm>

#include "workloads/kernels/tile_pack.h"
#include "workloads/kernels/tile_product.h"
#include "workloads/kernels/weight_panel.h"

namespace perf::workloads {

namespace {

// Of `in`, at once: 1 MiB of a second cache. A panel of that depth is twice the first cache, but
// half as deep would add to `out` twice as often, which took longer.
constexpr std::size_t kMostRows = 512, kDepth = 512;
static_assert(kDepth % kPanelColumns == 0);
constexpr std::size_t kInFloats = covered_rows(kMostRows) * kDepth;
constexpr std::size_t kThreadFloats = kInFloats + kDepth * kBlockColumns;

struct Call {
  const WeightMatrix& weights;
  const float* in;
  float* out;
  float beta;
};

// Some rows of `in`, some of its columns, and the first row of W of a panel.
struct Piece {
  std::size_t row, rows;
  std::size_t column, depth;
  std::size_t output;
};

void add_panel(const Call& call, const Piece& piece, Matrix<const float> in, const float* panel) {
  const std::size_t stride = call.weights.rows;
  const std::size_t outputs = std::min(kBlockColumns, stride - piece.output);
  const bool adds = call.beta != 0 || piece.column != 0;
  for_blocks(piece.rows, [&](std::size_t row, auto block_rows) {
    const std::size_t rows = std::min<std::size_t>(block_rows, piece.rows - row);
    float* out = call.out + (piece.row + row) * stride + piece.output;
    for (std::size_t i = 0; i < rows; ++i) {
      __builtin_prefetch(out + i * stride, 1);
      __builtin_prefetch(out + i * stride + kBlockColumns - 1, 1);
    }
    alignas(kLaneBytes) float sums[block_rows * kBlockColumns];
    multiply_block<Order::rows, Start::zero, block_rows>(in.values + row * in.stride, in.stride,
                                                         panel, kBlockColumns, sums, kBlockColumns,
                                                         0, piece.depth);
    for (std::size_t i = 0; i < rows; ++i) {
#pragma omp simd
      for (std::size_t j = 0; j < outputs; ++j) {
        out[i * stride + j] = sums[i * kBlockColumns + j] + (adds ? out[i * stride + j] : 0);
      }
    }
  });
}

// The piece's rows from its column on, as they are where blocks end with the rows, and a block's do
// not all lie in the same few places of the first cache: bf16, a prompt of 512, is 2 % faster so.
// Registers of eight lanes read twice as often, and were 2 % slower.
Matrix<const float> rows_of(const Call& call, const Piece& piece, float* scratch) {
  constexpr std::size_t kCacheWay = 4096 / sizeof(float);
  const std::size_t columns = call.weights.columns, covered = covered_rows(piece.rows);
  const float* first = call.in + piece.row * columns + piece.column;
  if (kLanes == 16 && covered == piece.rows && columns % kCacheWay != 0) {
    return {first, columns};
  }
  widen_tile(first, columns, piece.rows, piece.depth, scratch, covered, piece.depth);
  return {scratch, piece.depth};
}

// Rows [piece.row, piece.row + piece.rows) with rows [piece.output, end) of W.
void multiply_rows(const Call& call, Piece piece, std::size_t end, float* scratch) {
  const std::size_t columns = call.weights.columns, first = piece.output;
  float* panel = scratch + kInFloats;
  for (piece.column = 0; piece.column < columns; piece.column += kDepth) {
    piece.depth = std::min(kDepth, columns - piece.column);
    const Matrix<const float> in = rows_of(call, piece, scratch);
    for (piece.output = first; piece.output < end; piece.output += kBlockColumns) {
      unpack_panel(call.weights, piece.output, piece.column, piece.depth, panel);
      add_panel(call, piece, in, panel);
    }
  }
}

// Enough for all threads to have their share, but no more: each share unpacks its weights.
std::size_t rows_together(std::size_t rows, std::size_t panels, std::size_t threads) {
  std::size_t together = kMostRows;
  while (together > 64 && ceiling(rows, together) * panels < 2 * threads) {
    together /= 2;
  }
  return together;
}

}  // namespace

void multiply_many_rows(const WeightMatrix& weights, std::size_t first, const float* in,
                        std::size_t rows, float beta, float* out, float* scratch) {
  const Call call{weights, in, out, beta};
  const std::size_t panels = ceiling(weights.rows - first, kBlockColumns);
#pragma omp parallel
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const std::size_t together = rows_together(rows, panels, threads);
    const std::size_t all = ceiling(rows, together) * panels;
    const std::size_t end = all * (thread + 1) / threads;
    for (std::size_t i = all * thread / threads; i < end;) {
      const std::size_t row = i / panels * together, panel = i % panels;
      const std::size_t count = std::min(panels - panel, end - i);
      const Piece piece{.row = row,
                        .rows = std::min(together, rows - row),
                        .column = 0,
                        .depth = 0,
                        .output = first + panel * kBlockColumns};
      multiply_rows(call, piece, std::min(weights.rows, piece.output + count * kBlockColumns),
                    scratch + thread * kThreadFloats);
      i += count;
    }
  }
}

std::size_t many_rows_scratch(int threads) {
  return static_cast<std::size_t>(threads) * kThreadFloats;
}

}  // namespace perf::workloads
