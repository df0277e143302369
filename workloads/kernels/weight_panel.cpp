#include "workloads/kernels/weight_panel.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "workloads/kernels/quantized_group.h"
#include "workloads/kernels/quantized_tiles.h"
#include "workloads/kernels/row_lanes.h"
#include "workloads/kernels/tile_pack.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace perf::workloads {

namespace {

constexpr std::size_t kPair = 2;  // 16-bit values in a lane

LaneBits read_bits(const std::byte* from) {
  LaneBits bits;
  std::memcpy(&bits, from, sizeof bits);
  return bits;
}

// The value in the lower or the upper half of each lane.
Lanes widen_halves(LaneBits pairs, bool upper, Bf16 /*type*/) {
  return std::bit_cast<Lanes>(upper ? pairs & -0x10000 : pairs << 16);
}

Lanes widen_halves(LaneBits pairs, bool upper, Fp16 /*type*/) {
  const LaneBits halves = upper ? pairs >> 16 : pairs;
#if defined(__AVX512F__)
  return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(std::bit_cast<__m512i>(halves)));
#elif defined(__AVX2__) && defined(__F16C__)
  const auto low = std::bit_cast<__m256i>(halves & 0xffff);
  const __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, low), 0x08);
  return _mm256_cvtph_ps(_mm256_castsi256_si128(packed));
#else
  Lanes values;
  for (std::size_t i = 0; i < kLanes; ++i) {
    values[i] = widen(Fp16{static_cast<std::uint16_t>(halves[i])});
  }
  return values;
#endif
}

// kLanes rows of pairs of values are turned as if a pair were one value: half the work.
template <class T>
void unpack_plain(const WeightMatrix& from, std::size_t row, std::size_t column, std::size_t depth,
                  float* panel) {
  const std::size_t rows = std::min(kLanes, from.rows - row);
  const T* first = plain_rows<T>(from) + row * from.columns + column;
  for (std::size_t k = 0; k < depth; k += kPair * kLanes) {
    const std::size_t bytes = std::min(kPair * kLanes, depth - k) * sizeof(T);
    Lanes square[kLanes] = {};
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kLanes; ++i) {
      if (i < rows && bytes == kLaneBytes) {
        std::memcpy(&square[i], first + i * from.columns + k, kLaneBytes);
      } else if (i < rows) {
        std::memcpy(&square[i], first + i * from.columns + k, bytes);
      }
    }
    transpose_squares<kLanes / 2>(square);
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kLanes; ++i) {
      float* to = panel + (k + kPair * i) * kBlockColumns;
      const auto pairs = std::bit_cast<LaneBits>(square[i]);
      lanes(to) = widen_halves(pairs, false, T());
      lanes(to + kBlockColumns) = widen_halves(pairs, true, T());
    }
  }
}

// The level of NormalFloat4 of each code, of which the upper bits repeat the highest of the four.
Lanes nf4_levels(LaneBits codes) {
#if defined(__AVX512F__)
  return _mm512_permutexvar_ps(std::bit_cast<__m512i>(codes), _mm512_loadu_ps(kNf4Levels.data()));
#elif defined(__AVX2__)
  const auto places = std::bit_cast<__m256i>(codes);
  return _mm256_blendv_ps(_mm256_permutevar8x32_ps(_mm256_loadu_ps(kNf4Levels.data()), places),
                          _mm256_permutevar8x32_ps(_mm256_loadu_ps(kNf4Levels.data() + 8), places),
                          std::bit_cast<__m256>(codes));
#else
  Lanes levels;
  for (std::size_t i = 0; i < kLanes; ++i) {
    levels[i] = kNf4Levels[static_cast<std::size_t>(codes[i] & 15)];
  }
  return levels;
#endif
}

// kLanes rows of a tile, which lie side by side there as they do in a panel. `tile` points at the
// first of them.
template <WeightType type>
void unpack_tile(const std::byte* tile, float* panel) {
  constexpr TileShape kShape = tile_shape(type);
  constexpr bool kFourBits = type != WeightType::int8;
  constexpr int kUnused = kFourBits ? 28 : 24;
  constexpr std::size_t kInWord = kShape.columns / kTileWords, kLine = kTileRows * kPair * 2;
  for (std::size_t word = 0; word < kTileWords; ++word) {
    const LaneBits words = read_bits(tile + kShape.scale_bytes + word * kLine);
    const std::size_t group = word * kInWord / WeightMatrix::kGroup;
    const Lanes scale =
        widen_halves(read_bits(tile + group / kPair * kLine), group % kPair == 1, Bf16());
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kInWord; ++i) {
      const LaneBits codes = words << (kUnused - int(shift_of(kFourBits, i))) >> kUnused;
      Lanes levels;
      if constexpr (type == WeightType::nf4) {
        levels = nf4_levels(codes);
      } else {
        levels = __builtin_convertvector(codes, Lanes);
      }
      lanes(panel + (word * kInWord + i) * kBlockColumns) = levels * scale;
    }
  }
}

template <WeightType type>
void unpack_tiles(const WeightMatrix& from, std::size_t row, std::size_t column, std::size_t depth,
                  float* panel) {
  constexpr TileShape kShape = tile_shape(type);
  const std::size_t index =
      row / kTileRows * tiles_of_row(type, from.columns) + column / kShape.columns;
  const std::byte* tile =
      from.values + index * kShape.bytes + row % kTileRows * sizeof(std::uint32_t);
  for (std::size_t k = 0; k < depth; k += kShape.columns, tile += kShape.bytes) {
    unpack_tile<type>(tile, panel + k * kBlockColumns);
  }
}

auto unpacking_of(WeightType type) {
  switch (type) {
    case WeightType::bf16:
      return unpack_plain<Bf16>;
    case WeightType::fp16:
      return unpack_plain<Fp16>;
    case WeightType::int8:
      return unpack_tiles<WeightType::int8>;
    case WeightType::int4:
      return unpack_tiles<WeightType::int4>;
    case WeightType::nf4:
      return unpack_tiles<WeightType::nf4>;
    case WeightType::fp32:
      break;
  }
  throw std::logic_error("fp32 needs no unpacking");
}

}  // namespace

void unpack_panel(const WeightMatrix& from, std::size_t row, std::size_t column, std::size_t depth,
                  float* panel) {
  const auto unpack = unpacking_of(from.type);
  for (std::size_t i = 0; i < kBlockColumns && row + i < from.rows; i += kLanes) {
    unpack(from, row + i, column, depth, panel + i);
  }
}

}  // namespace perf::workloads
