#include "workloads/kernels/quantized_tiles.h"

#include <algorithm>
#include <cstring>

#include "workloads/kernels/quantized_group.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kGroup = WeightMatrix::kGroup;
constexpr std::size_t kMostColumns = tile_shape(WeightType::int4).columns;

// One row of one tile.
struct TileRow {
  std::byte* scales;
  std::byte* words;

  // `row` is that of the matrix.
  static TileRow of(const WeightMatrix& matrix, std::size_t row, std::size_t tile) {
    const TileShape shape = tile_shape(matrix.type);
    const std::size_t tiles = tiles_of_row(matrix.type, matrix.columns);
    std::byte* start = matrix.values + (row / kTileRows * tiles + tile) * shape.bytes;
    const std::size_t lane = row % kTileRows * sizeof(std::uint32_t);
    return {start + lane, start + shape.scale_bytes + lane};
  }

  std::byte* scale(std::size_t group) const {
    return scales + group / 2 * kTileRows * sizeof(std::uint32_t) + group % 2 * sizeof(Bf16);
  }
  std::byte* word(std::size_t i) const { return words + i * kTileRows * sizeof(std::uint32_t); }
};

template <bool four_bits>
void join_codes(const std::uint8_t* codes, RowWords& words) {
  constexpr std::size_t kColumns = four_bits ? 8 : 4;
  for (std::size_t i = 0; i < kTileWords; ++i) {
    std::uint32_t word = 0;
    for (std::size_t column = 0; column < kColumns; ++column) {
      word |= std::uint32_t{codes[i * kColumns + column]} << shift_of(four_bits, column);
    }
    words[i] = word;
  }
}

void pack_tile_row(WeightType type, const float* values, std::size_t columns, const TileRow& to) {
  std::uint8_t codes[kMostColumns];
  for (std::size_t group = 0; group * kGroup < tile_shape(type).columns; ++group) {
    const std::size_t begin = std::min(columns, group * kGroup);
    const Bf16 scale = quantize_group(type, values + begin, std::min(kGroup, columns - begin),
                                      codes + group * kGroup);
    std::memcpy(to.scale(group), &scale, sizeof scale);
  }
  RowWords words;
  type == WeightType::int8 ? join_codes<false>(codes, words) : join_codes<true>(codes, words);
  for (std::size_t i = 0; i < kTileWords; ++i) {
    std::memcpy(to.word(i), &words[i], sizeof words[i]);
  }
}

std::uint8_t zero_code(WeightType type) {
  return type == WeightType::nf4 ? 7 : 0;  // kNf4Levels
}

/// The codes of a row of a QuantizedMatrix, from a column on, one to a byte.
void spread_codes(const QuantizedMatrix& from, std::size_t row, std::size_t begin,
                  std::size_t count, std::uint8_t* codes) {
  const std::size_t bits = bits_of(from.scheme.type), in_byte = 8 / bits;
  const std::uint8_t* stored = from.codes + row * from.scheme.code_row_bytes(from.columns);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t column = begin + i;
    const unsigned code = unsigned{stored[column / in_byte]} >> (column % in_byte * bits);
    codes[i] = static_cast<std::uint8_t>(code & ((1U << bits) - 1));
  }
}

}  // namespace

std::optional<Scheme> stored_scheme(WeightType type) {
  switch (type) {
    case WeightType::int8:
      return Scheme{CodeType::int8, kGroup};
    case WeightType::int4:
      return Scheme{CodeType::int4, kGroup};
    case WeightType::nf4:
      return Scheme{CodeType::nf4, kGroup};
    default:
      return std::nullopt;
  }
}

void pack_codes(const QuantizedMatrix& from, std::size_t first, WeightMatrix& to) {
  const TileShape shape = tile_shape(to.type);
  for (std::size_t row = 0; row < from.rows; ++row) {
    const std::byte* scales = from.scales + row * from.scheme.scale_row_bytes(from.columns);
    for (std::size_t tile = 0; tile * shape.columns < to.columns; ++tile) {
      const std::size_t begin = tile * shape.columns;
      const std::size_t count = std::min(shape.columns, to.columns - begin);
      const TileRow place = TileRow::of(to, first + row, tile);
      // What lies beyond the last column means 0: of nf4 that is no code of 0.
      std::uint8_t codes[kMostColumns];
      std::fill_n(codes, kMostColumns, zero_code(to.type));
      spread_codes(from, row, begin, count, codes);
      for (std::size_t group = 0; group * kGroup < count; ++group) {
        std::memcpy(place.scale(group), scales + (begin / kGroup + group) * sizeof(Bf16),
                    sizeof(Bf16));
      }
      RowWords words;
      to.type == WeightType::int8 ? join_codes<false>(codes, words)
                                  : join_codes<true>(codes, words);
      for (std::size_t i = 0; i < kTileWords; ++i) {
        std::memcpy(place.word(i), &words[i], sizeof words[i]);
      }
    }
  }
}

std::size_t quantized_bytes(WeightType type, std::size_t rows, std::size_t columns) {
  return (rows + kTileRows - 1) / kTileRows * tiles_of_row(type, columns) * tile_shape(type).bytes;
}

void pack_quantized(const float* values, std::size_t first, std::size_t count, WeightMatrix& to) {
  const std::size_t width = tile_shape(to.type).columns;
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t tile = 0; tile * width < to.columns; ++tile) {
      pack_tile_row(to.type, values + row * to.columns + tile * width,
                    std::min(width, to.columns - tile * width), TileRow::of(to, first + row, tile));
    }
  }
}

}  // namespace perf::workloads
