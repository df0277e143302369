#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "workloads/kernels/weight_matrix.h"

namespace perf::workloads {

/// How int8, int4 and nf4 lie in memory: in tiles of 16 rows, for a vector register whose lanes of
/// 32 bits each belong to a row. A tile is a run of whole cache lines,
///     scales   (groups / 2, 16 rows, 2)   Bf16: those of two neighbouring groups side by side
///     words    (16, 16 rows)              32 bits: word w holds the codes of the row's columns
///                                         4 w .. 4 w + 3 (int8) or 8 w .. 8 w + 7 (int4, nf4)
/// Tiles lie one after the other along the columns, then along the rows; what is missing from the
/// last of either is zero. In a word, columns 2 i and 2 i + 1 have the same place in the lower and
/// the upper 16 bits, so that one instruction leads each half to a pair of 16-bit integers:
///     int8         bytes 0 .. 3 are columns 0, 2, 1, 3
///     int4, nf4    nibbles 0 .. 7 are columns 0, 2, 4, 6, 1, 3, 5, 7
struct TileShape {
  std::size_t columns;      ///< of a tile
  std::size_t scale_bytes;  ///< before the words
  std::size_t bytes;        ///< of a tile
};

inline constexpr std::size_t kTileRows = 16, kTileWords = 16;
/// The codes of a row in a tile.
using RowWords = std::array<std::uint32_t, kTileWords>;

constexpr TileShape tile_shape(WeightType type) {
  const std::size_t columns = kTileWords * (type == WeightType::int8 ? 4 : 8);
  const std::size_t scales = columns / WeightMatrix::kGroup * kTileRows * sizeof(Bf16);
  return {columns, scales, scales + kTileWords * kTileRows * sizeof(std::uint32_t)};
}

constexpr std::size_t tiles_of_row(WeightType type, std::size_t columns) {
  const TileShape shape = tile_shape(type);
  return (columns + shape.columns - 1) / shape.columns;
}

/// Where a word has the code of one of its columns.
constexpr std::size_t shift_of(bool four_bits, std::size_t column) {
  return column % 2 * 16 + column / 2 * (four_bits ? 4 : 8);
}

/// Of a whole matrix of int8, int4 or nf4.
std::size_t quantized_bytes(WeightType type, std::size_t rows, std::size_t columns);

/// pack_rows() and unpack_rows() for these types.
void pack_quantized(const float* values, std::size_t first, std::size_t count, WeightMatrix& to);
template <class T>
void unpack_quantized(const WeightMatrix& from, std::size_t first, std::size_t count, T* values);

}  // namespace perf::workloads
