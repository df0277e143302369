#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/lanes.h"

namespace perf::workloads {

/// out (padded_rows,padded_columns) = in (rows,columns) in single precision, zeros around it; a row
/// of `in` is in_stride values long.
template <class T>
void widen_tile(const T* in, std::size_t in_stride, std::size_t rows, std::size_t columns,
                float* out, std::size_t padded_rows, std::size_t padded_columns) {
  // Rows that lie pages apart, as a head's do, are fetched ahead: a CPU's own prefetchers stop at a
  // page.
  constexpr std::size_t kAhead = 8, kLine = 64 / sizeof(T);
  for (std::size_t row = 0; row < rows; ++row) {
    const T* from = in + row * in_stride;
    float* to = out + row * padded_columns;
    if (row + kAhead < rows) {
      for (std::size_t i = 0; i < columns; i += kLine) {
        __builtin_prefetch(from + kAhead * in_stride + i);
      }
    }
#pragma omp simd
    for (std::size_t i = 0; i < columns; ++i) {
      to[i] = widen(from[i]);
    }
    std::fill(to + columns, to + padded_columns, 0.0F);
  }
  std::fill(out + rows * padded_columns, out + padded_rows * padded_columns, 0.0F);
}

// Lanes i of a pair of rows: those without the bit `step` of the first, where the others' places
// are filled from the second (low), and the other way round (high).
template <std::size_t step, std::size_t... i>
inline void exchange(Lanes& first, Lanes& second, std::index_sequence<i...>) {
  const Lanes low = __builtin_shufflevector(first, second, ((i & step) ? kLanes + i - step : i)...);
  second = __builtin_shufflevector(first, second, ((i & step) ? kLanes + i : i + step)...);
  first = low;
}

// Transposes in place: log2(kLanes) rounds, each of which exchanges off-diagonal squares of half
// the size (Eklundh, "A fast computer method for matrix transposing", IEEE TC 21(7), 1972).
template <std::size_t step>
inline void transpose_squares(Lanes (&rows)[kLanes]) {
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kLanes; ++i) {
    if ((i & step) == 0) {
      exchange<step>(rows[i], rows[i + step], std::make_index_sequence<kLanes>());
    }
  }
  if constexpr (step > 1) {
    transpose_squares<step / 2>(rows);
  }
}

/// out (columns,rows) = the transpose of in (rows,columns); both are multiples of kLanes.
inline void transpose_tile(const float* in, std::size_t rows, std::size_t columns, float* out) {
  for (std::size_t row = 0; row < rows; row += kLanes) {
    for (std::size_t column = 0; column < columns; column += kLanes) {
      Lanes square[kLanes];
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kLanes; ++i) {
        square[i] = lanes(in + (row + i) * columns + column);
      }
      transpose_squares<kLanes / 2>(square);
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kLanes; ++i) {
        lanes(out + (column + i) * rows + row) = square[i];
      }
    }
  }
}

}  // namespace perf::workloads
