#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "workloads/kernels/lanes.h"

namespace perf::workloads {

/// Products of matrices that lie in the cache, on one thread: a block of the result stays in
/// registers over the whole depth, as in the inner kernel of Goto and van de Geijn, "Anatomy of
/// high-performance matrix multiplication" (ACM TOMS 34(3), 2008). Its values of A are broadcast
/// from where they lie, so that A may be read either way round; rows of B are read as vectors.

/// The block: its sums, two vectors of B and one of A fill the registers, and are enough to hide
/// the latency of the additions. What is left of a tile's rows takes smaller ones.
#if defined(__AVX512F__)
inline constexpr std::size_t kBlockRows = 8, kLastRows = 8;
#else
inline constexpr std::size_t kBlockRows = 6, kLastRows = 4;
#endif
inline constexpr std::size_t kBlockColumns = 2 * kLanes;

/// How many blocks, tiles or bands of so many it takes for all.
constexpr std::size_t ceiling(std::size_t count, std::size_t of) {
  return (count + of - 1) / of;
}

/// A matrix in memory. Results and B are aligned to kLaneBytes, and their stride is a multiple of
/// kLanes.
template <class Value>
struct Matrix {
  Value* values;
  std::size_t stride;  ///< from one row to the next
};

/// How a (rows,depth) lies in memory: by rows, or as its transpose, (depth,rows).
enum class Order { rows, columns };

/// What a block's sums begin with: nothing, what is there, or that times a factor for each row.
enum class Start { zero, there, scaled };

/// One block: c (block_rows,kBlockColumns) = its start + sum of a (:,k) b (k,:) over k in
/// [begin, end).
template <Order order, Start start, std::size_t block_rows>
inline void multiply_block(const float* a, std::size_t a_stride, const float* b,
                           std::size_t b_stride, float* c, std::size_t c_stride, std::size_t begin,
                           std::size_t end, const float* factors = nullptr) {
  Lanes sums[block_rows][2];
#pragma GCC unroll 16
  for (std::size_t row = 0; row < block_rows; ++row) {
    for (std::size_t i = 0; i < 2; ++i) {
      sums[row][i] = start == Start::zero ? Lanes{} : lanes(c + row * c_stride + i * kLanes);
      if constexpr (start == Start::scaled) {
        sums[row][i] *= factors[row];
      }
    }
  }
  for (std::size_t k = begin; k < end; ++k) {
    const Lanes left = lanes(b + k * b_stride), right = lanes(b + k * b_stride + kLanes);
#pragma GCC unroll 16
    for (std::size_t row = 0; row < block_rows; ++row) {
      const float factor = order == Order::rows ? a[row * a_stride + k] : a[k * a_stride + row];
      sums[row][0] += factor * left;
      sums[row][1] += factor * right;
    }
  }
#pragma GCC unroll 16
  for (std::size_t row = 0; row < block_rows; ++row) {
    lanes(c + row * c_stride) = sums[row][0];
    lanes(c + row * c_stride + kLanes) = sums[row][1];
  }
}

/// The rows of the next block where so many are left: the larger one, unless one or two of the
/// smaller are enough.
constexpr std::size_t next_block(std::size_t left) {
  const bool two_are_enough = left > kBlockRows && left <= 2 * kLastRows;
  return left <= kLastRows || two_are_enough ? kLastRows : kBlockRows;
}
/// How many rows the blocks reach to, never past a tile of 64.
constexpr std::size_t covered_rows(std::size_t rows) {
  std::size_t row = 0;
  while (row < rows) {
    row += next_block(rows - row);
  }
  return row;
}
static_assert(covered_rows(61) <= 64 && covered_rows(62) <= 64 && covered_rows(63) <= 64 &&
              covered_rows(64) == 64);

/// Calls visit(row, an integral_constant of its rows) for each block.
template <class Visit>
[[gnu::always_inline]] inline void for_blocks(std::size_t rows, Visit visit) {
  for (std::size_t row = 0; row < rows;) {
    const std::size_t block = next_block(rows - row);
    if (kLastRows < kBlockRows && block == kLastRows) {
      visit(row, std::integral_constant<std::size_t, kLastRows>());
    } else {
      visit(row, std::integral_constant<std::size_t, kBlockRows>());
    }
    row += block;
  }
}

/// What of a square matrix is wanted, or is not zero: all of it, or the diagonal and what lies
/// below or above it.
enum class Part { all, lower, upper };

/// How many rows, columns and products a sum has. Memory must be there for covered_rows(rows).
/// columns: a multiple of kBlockColumns.
struct Extent {
  std::size_t rows, columns, depth;
};

/// c (rows,columns) = a (rows,depth) b (depth,columns), of which only `part` is wanted: blocks that
/// lie wholly outside it are left as they are.
template <Order order>
void multiply_part(Part part, const Extent& extent, Matrix<const float> a, Matrix<const float> b,
                   Matrix<float> c) {
  for_blocks(extent.rows, [&](std::size_t row, auto block_rows) {
    const std::size_t begin = part == Part::upper ? row / kBlockColumns * kBlockColumns : 0;
    const std::size_t end =
        part == Part::lower ? std::min(extent.columns, row + block_rows) : extent.columns;
    const float* rows = order == Order::rows ? a.values + row * a.stride : a.values + row;
    for (std::size_t column = begin; column < end; column += kBlockColumns) {
      multiply_block<order, Start::zero, block_rows>(rows, a.stride, b.values + column, b.stride,
                                                     c.values + row * c.stride + column, c.stride,
                                                     0, extent.depth);
    }
  });
}

/// c = factors c + a b, or c + a b without factors (one for each of covered_rows(rows)), where a is
/// zero outside `part`: products that are zero for a whole block are skipped.
template <Order order>
void multiply_add(Part part, const Extent& extent, Matrix<const float> a, Matrix<const float> b,
                  Matrix<float> c, const float* factors = nullptr) {
  for_blocks(extent.rows, [&](std::size_t row, auto block_rows) {
    const std::size_t begin = part == Part::upper ? row : 0;
    const std::size_t end =
        part == Part::lower ? std::min(extent.depth, row + block_rows) : extent.depth;
    const float* rows = order == Order::rows ? a.values + row * a.stride : a.values + row;
    const auto add_to = [&](auto start) {
      for (std::size_t column = 0; column < extent.columns; column += kBlockColumns) {
        multiply_block<order, start, block_rows>(
            rows, a.stride, b.values + column, b.stride, c.values + row * c.stride + column,
            c.stride, begin, end, factors == nullptr ? nullptr : factors + row);
      }
    };
    if (factors == nullptr) {
      add_to(std::integral_constant<Start, Start::there>());
    } else {
      add_to(std::integral_constant<Start, Start::scaled>());
    }
  });
}

}  // namespace perf::workloads
