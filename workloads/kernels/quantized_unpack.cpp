#include <algorithm>
#include <cstring>
#include <type_traits>

#include "workloads/kernels/quantized_group.h"
#include "workloads/kernels/quantized_tiles.h"
#include "workloads/kernels/tile_pack.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace perf::workloads {

namespace {

constexpr std::size_t kGroup = WeightMatrix::kGroup;
constexpr std::size_t kMostColumns = tile_shape(WeightType::int4).columns;
constexpr std::size_t kMostGroups = kMostColumns / kGroup;

#if defined(__AVX512BW__)

// out (16) = numbers (16 bytes) as floats, through a table or as they are, times scale.
inline void store_levels(__m128i numbers, float scale, float* out) {
  const __m512 levels = _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(numbers));
  _mm512_storeu_ps(out, _mm512_mul_ps(levels, _mm512_set1_ps(scale)));
}
inline void store_levels(__m128i codes, __m512 table, float scale, float* out) {
  const __m512 levels = _mm512_permutexvar_ps(_mm512_cvtepi8_epi32(codes), table);
  _mm512_storeu_ps(out, _mm512_mul_ps(levels, _mm512_set1_ps(scale)));
}

// out (64) = codes * scales (2)
void unpack_bytes(const std::uint32_t* words, const float* scales, float* out) {
  const __m512i order =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15));
  const __m512i codes = _mm512_shuffle_epi8(_mm512_load_si512(words), order);
  store_levels(_mm512_castsi512_si128(codes), scales[0], out);
  store_levels(_mm512_extracti32x4_epi32(codes, 1), scales[0], out + 16);
  store_levels(_mm512_extracti32x4_epi32(codes, 2), scales[1], out + 32);
  store_levels(_mm512_extracti32x4_epi32(codes, 3), scales[1], out + 48);
}

// out (128) = levels * scales (4)
void unpack_nibbles(const std::uint32_t* words, const float* levels, const float* scales,
                    float* out) {
  const __m512i packed = _mm512_load_si512(words);
  const __m512i mask = _mm512_set1_epi8(15);
  const __m512i low = _mm512_and_si512(packed, mask);
  const __m512i high = _mm512_and_si512(_mm512_srli_epi16(packed, 4), mask);
  // Of each word: columns 0 2 4 6 1 3 5 7.
  const __m512i order =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15));
  const __m512i first = _mm512_shuffle_epi8(_mm512_unpacklo_epi8(low, high), order);
  const __m512i second = _mm512_shuffle_epi8(_mm512_unpackhi_epi8(low, high), order);
  const __m512 table = _mm512_loadu_ps(levels);
  store_levels(_mm512_castsi512_si128(first), table, scales[0], out);
  store_levels(_mm512_castsi512_si128(second), table, scales[0], out + 16);
  store_levels(_mm512_extracti32x4_epi32(first, 1), table, scales[1], out + 32);
  store_levels(_mm512_extracti32x4_epi32(second, 1), table, scales[1], out + 48);
  store_levels(_mm512_extracti32x4_epi32(first, 2), table, scales[2], out + 64);
  store_levels(_mm512_extracti32x4_epi32(second, 2), table, scales[2], out + 80);
  store_levels(_mm512_extracti32x4_epi32(first, 3), table, scales[3], out + 96);
  store_levels(_mm512_extracti32x4_epi32(second, 3), table, scales[3], out + 112);
}

#elif defined(__AVX2__)

inline __m256i load_words(const std::uint32_t* words) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(words));
}
inline void store_codes(__m128i codes, std::uint8_t* to) {
  _mm_store_si128(reinterpret_cast<__m128i*>(to), codes);
}
inline __m128i eight_codes(const std::uint8_t* from) {
  return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
}
inline void store_scaled(__m256 levels, float scale, float* out) {
  _mm256_storeu_ps(out, _mm256_mul_ps(levels, _mm256_set1_ps(scale)));
}

// out (64) = codes * scales (2)
void unpack_bytes(const std::uint32_t* words, const float* scales, float* out) {
  const __m256i order = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15));
  alignas(32) std::uint8_t codes[4 * kTileWords];
  for (std::size_t i = 0; i < kTileWords; i += 8) {
    const __m256i ordered = _mm256_shuffle_epi8(load_words(words + i), order);
    _mm256_store_si256(reinterpret_cast<__m256i*>(codes + 4 * i), ordered);
  }
  for (std::size_t i = 0; i < 4 * kTileWords; i += 8) {
    const __m256i eight = _mm256_cvtepi8_epi32(eight_codes(codes + i));
    store_scaled(_mm256_cvtepi32_ps(eight), scales[i / kGroup], out + i);
  }
}

// out (128) = levels * scales (4). A permutation has eight places: bit 3 of a code tells of which
// half of the levels.
void unpack_nibbles(const std::uint32_t* words, const float* levels, const float* scales,
                    float* out) {
  const __m256i mask = _mm256_set1_epi8(15);
  // Of each word: columns 0 2 4 6 1 3 5 7.
  const __m256i order = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15));
  alignas(32) std::uint8_t codes[8 * kTileWords];
  for (std::size_t i = 0; i < kTileWords; i += 8) {
    const __m256i packed = load_words(words + i);
    const __m256i low = _mm256_and_si256(packed, mask);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(packed, 4), mask);
    const __m256i first = _mm256_shuffle_epi8(_mm256_unpacklo_epi8(low, high), order);
    const __m256i second = _mm256_shuffle_epi8(_mm256_unpackhi_epi8(low, high), order);
    store_codes(_mm256_castsi256_si128(first), codes + 8 * i);
    store_codes(_mm256_castsi256_si128(second), codes + 8 * i + 16);
    store_codes(_mm256_extracti128_si256(first, 1), codes + 8 * i + 32);
    store_codes(_mm256_extracti128_si256(second, 1), codes + 8 * i + 48);
  }
  const __m256 lower = _mm256_loadu_ps(levels), upper = _mm256_loadu_ps(levels + 8);
  for (std::size_t i = 0; i < 8 * kTileWords; i += 8) {
    const __m256i eight = _mm256_cvtepu8_epi32(eight_codes(codes + i));
    const __m256 is_upper = _mm256_castsi256_ps(_mm256_slli_epi32(eight, 28));
    store_scaled(_mm256_blendv_ps(_mm256_permutevar8x32_ps(lower, eight),
                                  _mm256_permutevar8x32_ps(upper, eight), is_upper),
                 scales[i / kGroup], out + i);
  }
}

#else

void scale_groups(const float* scales, std::size_t groups, float* values) {
  for (std::size_t group = 0; group < groups; ++group) {
#pragma omp simd
    for (std::size_t i = group * kGroup; i < (group + 1) * kGroup; ++i) {
      values[i] *= scales[group];
    }
  }
}

void unpack_bytes(const std::uint32_t* words, const float* scales, float* out) {
  std::uint32_t ordered[kTileWords];
  for (std::size_t i = 0; i < kTileWords; ++i) {
    ordered[i] = (words[i] & 0xff0000ffU) | (words[i] & 0xff00U) << 8 | (words[i] & 0xff0000U) >> 8;
  }
  std::int8_t codes[4 * kTileWords];
  std::memcpy(codes, ordered, sizeof codes);
#pragma omp simd
  for (std::size_t i = 0; i < 4 * kTileWords; ++i) {
    out[i] = codes[i];
  }
  scale_groups(scales, 2, out);
}

void unpack_nibbles(const std::uint32_t* words, const float* levels, const float* scales,
                    float* out) {
  for (std::size_t i = 0; i < kTileWords; ++i) {
    for (std::size_t column = 0; column < 8; ++column) {
      out[8 * i + column] = levels[words[i] >> shift_of(true, column) & 15U];
    }
  }
  scale_groups(scales, 4, out);
}

#endif

// What a tile holds, by rows.
struct OpenTile {
  alignas(64) std::uint32_t words[kTileRows][kTileWords];
  float scales[kTileRows][kMostGroups];

  void read(const std::byte* tile, std::size_t groups) {
    for (std::size_t group = 0; group < groups; ++group) {
      for (std::size_t row = 0; row < kTileRows; ++row) {
        Bf16 scale;
        std::memcpy(&scale, tile + ((group / 2 * kTileRows + row) * 2 + group % 2) * sizeof scale,
                    sizeof scale);
        scales[row][group] = widen(scale);
      }
    }
    const std::byte* codes = tile + groups * kTileRows * sizeof(Bf16);
    // Moves bits and computes nothing.
    transpose_tile(reinterpret_cast<const float*>(codes), kTileWords, kTileRows,
                   reinterpret_cast<float*>(words[0]));
  }
};

}  // namespace

template <class T>
void unpack_quantized(const WeightMatrix& from, std::size_t first, std::size_t count, T* values) {
  const TileShape shape = tile_shape(from.type);
  const std::array<float, 16> levels =
      from.type == WeightType::int8 ? std::array<float, 16>{} : four_bit_levels(from.type);
  const std::byte* tile =
      from.values + quantized_bytes(from.type, first / kTileRows * kTileRows, from.columns);
  // The rows of a tile one after the other, while it is at hand.
  for (std::size_t row = first; row < first + count;) {
    const std::size_t end = std::min(first + count, row / kTileRows * kTileRows + kTileRows);
    for (std::size_t column = 0; column < from.columns; column += shape.columns) {
      OpenTile open;
      open.read(tile, shape.columns / kGroup);
      tile += shape.bytes;
      for (std::size_t i = row; i < end; ++i) {
        const std::uint32_t* words = open.words[i % kTileRows];
        const float* scales = open.scales[i % kTileRows];
        T* out = values + (i - first) * from.columns + column;
        alignas(64) float piece[kMostColumns];
        float* unpacked = piece;
        if constexpr (std::is_same_v<T, float>) {
          unpacked = shape.columns <= from.columns - column ? out : piece;
        }
        if (from.type == WeightType::int8) {
          unpack_bytes(words, scales, unpacked);
        } else {
          unpack_nibbles(words, levels.data(), scales, unpacked);
        }
        if (unpacked == piece) {
          narrow(piece, std::min(shape.columns, from.columns - column), out);
        }
      }
    }
    row = end;
  }
}

template void unpack_quantized(const WeightMatrix&, std::size_t, std::size_t, float*);
template void unpack_quantized(const WeightMatrix&, std::size_t, std::size_t, Bf16*);

}  // namespace perf::workloads
