#pragma once

// Pairs of 16-bit integers in registers, a pair for each of kPairLanes rows: the few operations
// that products of quantized weights need, for AVX-512, AVX2 (which multiplies in a way of its own,
// few_rows_codes_avx2.h) and any other CPU. Only for the sources of kernels: what the types are
// depends on the CPU that they are compiled for.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace perf::workloads {

/// What the 16 codes of four bits stand for, as integers.
using IntegerLevels = std::array<std::int16_t, 16>;

#if defined(__AVX512BW__)

inline constexpr std::size_t kPairLanes = 16;
using Pairs = __m512i;   // (kPairLanes, 2) of 16 bits
using Counts = __m512i;  // (kPairLanes) of 32 bits
using Sums = __m512;     // (kPairLanes) of single precision

inline Pairs load_words(const std::byte* from) {
  return _mm512_load_si512(from);
}

// The lower or the upper byte of each half word.
inline Pairs lower_bytes(Pairs words) {
  return _mm512_srai_epi16(_mm512_slli_epi16(words, 8), 8);
}
inline Pairs upper_bytes(Pairs words) {
  return _mm512_srai_epi16(words, 8);
}

struct LevelTable {
  Pairs twice;
  explicit LevelTable(const IntegerLevels& levels)
      : twice(_mm512_broadcast_i64x4(
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(levels.data())))) {}
};
// The level of nibble i of each half word. The permutation looks at 5 bits of an index, the table
// is there twice: so what stands above the nibble need not be masked off.
template <int i>
inline Pairs nibble_levels(Pairs words, const LevelTable& table) {
  return _mm512_permutexvar_epi16(i == 0 ? words : _mm512_srli_epi16(words, 4 * i), table.twice);
}

// counts + the product of each pair with the pair of `factors` (bits), exactly.
inline Counts add_products(Counts counts, Pairs pairs, std::int32_t factors) {
#if defined(__AVX512VNNI__)
  return _mm512_dpwssd_epi32(counts, pairs, _mm512_set1_epi32(factors));
#else
  return _mm512_add_epi32(counts, _mm512_madd_epi16(pairs, _mm512_set1_epi32(factors)));
#endif
}

inline Counts add_counts(Counts left, Counts right) {
  return _mm512_add_epi32(left, right);
}

#if defined(__AVX512VNNI__)
// Nibble i of each byte, two's complement, plus 8.
template <int i>
inline Counts raised_nibbles(Pairs words) {
  constexpr int kAndXor = (0xf0 & 0xcc) ^ 0xaa;
  return _mm512_ternarylogic_epi32(i == 0 ? words : _mm512_srli_epi16(words, 4),
                                   _mm512_set1_epi8(15), _mm512_set1_epi8(8), kAndXor);
}

// counts + the products of the unsigned bytes of each lane with the signed ones of `factors`.
inline Counts add_byte_products(Counts counts, Counts bytes, std::int32_t factors) {
  return _mm512_dpbusd_epi32(counts, bytes, _mm512_set1_epi32(factors));
}

inline Counts same_counts(std::int32_t count) {
  return _mm512_set1_epi32(count);
}
// upper * 256 + lower
inline Counts join_counts(Counts upper, Counts lower) {
  return _mm512_add_epi32(_mm512_slli_epi32(upper, 8), lower);
}
#endif

// The Bf16 in the lower or the upper half of each word.
inline Sums lower_scales(Pairs words) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(words, 16));
}
inline Sums upper_scales(Pairs words) {
  return _mm512_castsi512_ps(_mm512_and_si512(words, _mm512_set1_epi32(-0x10000)));
}

// sums + counts * scales * factor
inline Sums add_scaled(Sums sums, Counts counts, Sums scales, float factor) {
  return _mm512_fmadd_ps(_mm512_cvtepi32_ps(counts), _mm512_mul_ps(scales, _mm512_set1_ps(factor)),
                         sums);
}

inline void store_sums(Sums sums, float* to) {
  _mm512_storeu_ps(to, sums);
}

#elif defined(__AVX2__) && defined(__FMA__)

inline constexpr std::size_t kPairLanes = 8;
using Pairs = __m256i;
using Counts = __m256i;
using Sums = __m256;

inline Pairs load_words(const std::byte* from) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
}

inline Sums lower_scales(Pairs words) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(words, 16));
}
inline Sums upper_scales(Pairs words) {
  return _mm256_castsi256_ps(_mm256_and_si256(words, _mm256_set1_epi32(-0x10000)));
}

inline Sums add_scaled(Sums sums, Counts counts, Sums scales, float factor) {
  return _mm256_fmadd_ps(_mm256_cvtepi32_ps(counts), _mm256_mul_ps(scales, _mm256_set1_ps(factor)),
                         sums);
}

inline void store_sums(Sums sums, float* to) {
  _mm256_storeu_ps(to, sums);
}

#else

// GCC's and clang's vector extension, of the width that every CPU has.
inline constexpr std::size_t kPairLanes = 4;
typedef std::int32_t Counts __attribute__((vector_size(16)));
typedef float Sums __attribute__((vector_size(16)));
using Pairs = Counts;

inline Pairs load_words(const std::byte* from) {
  Pairs result;
  std::memcpy(&result, from, sizeof result);
  return result;
}

typedef std::uint16_t Halves __attribute__((vector_size(16)));
typedef std::int16_t SignedHalves __attribute__((vector_size(16)));

inline Pairs lower_bytes(Pairs words) {
  return (Pairs)((SignedHalves)((Halves)words << 8) >> 8);
}
inline Pairs upper_bytes(Pairs words) {
  return (Pairs)((SignedHalves)words >> 8);
}

struct LevelTable {
  IntegerLevels levels;
  explicit LevelTable(const IntegerLevels& of_codes) : levels(of_codes) {}
};
template <int i>
inline Pairs nibble_levels(Pairs words, const LevelTable& table) {
  const Halves codes = ((Halves)words >> (4 * i)) & 15;
  SignedHalves result;
  for (std::size_t half = 0; half < 2 * kPairLanes; ++half) {
    result[half] = table.levels[codes[half]];
  }
  return (Pairs)result;
}

inline Counts add_products(Counts counts, Pairs pairs, std::int32_t factors) {
  return counts + ((pairs << 16) >> 16) * ((factors << 16) >> 16) + (pairs >> 16) * (factors >> 16);
}
inline Counts add_counts(Counts left, Counts right) {
  return left + right;
}

inline Sums lower_scales(Pairs words) {
  return (Sums)(words << 16);
}
inline Sums upper_scales(Pairs words) {
  return (Sums)(words & -0x10000);
}

inline Sums add_scaled(Sums sums, Counts counts, Sums scales, float factor) {
  return sums + __builtin_convertvector(counts, Sums) * (scales * factor);
}

inline void store_sums(Sums sums, float* to) {
  std::memcpy(to, &sums, sizeof sums);
}

#endif

}  // namespace perf::workloads
