#pragma once

// The words of quantized weights times prepared inputs, as few_rows_codes.h, in the 16 registers of
// AVX2. Both halves of a tile's 16 rows are multiplied at once where there is room for their sums:
// they share what is loaded of the inputs. Only for the sources of kernels.

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "workloads/kernels/quantized_inputs.h"
#include "workloads/kernels/quantized_lanes.h"

namespace perf::workloads {

// The same four numbers for each row: a row is two lanes, whose sums are added up in the end.
inline Pairs four_numbers(const std::int16_t* from) {
  std::int64_t four;
  std::memcpy(&four, from, sizeof four);
  return _mm256_set1_epi64x(four);
}
inline Counts add_pair_products(Counts counts, Pairs pairs, Pairs numbers) {
  return _mm256_add_epi32(counts, _mm256_madd_epi16(pairs, numbers));
}

// Codes become 16 bits four rows at a time.
struct Bytes {
  static constexpr std::size_t kWords = WeightMatrix::kGroup / 4;

  explicit Bytes(WeightType) {}

  template <std::size_t halves, std::size_t count>
  void multiply(const std::byte* words, const PreparedInputs& prepared, std::size_t input,
                std::size_t group, Counts (&sums)[halves][count]) const {
    const std::int16_t* numbers = prepared.row(input) + group * WeightMatrix::kGroup;
    Counts first[halves][count] = {}, second[halves][count] = {};
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kWords; ++i) {
      fetch_ahead(words + i * kWordBytes);
#pragma GCC unroll 2
      for (std::size_t half = 0; half < halves; ++half) {
        const auto* rows = reinterpret_cast<const __m128i*>(words + i * kWordBytes) + 2 * half;
        const Pairs upper = _mm256_cvtepi8_epi16(_mm_load_si128(rows));
        const Pairs lower = _mm256_cvtepi8_epi16(_mm_load_si128(rows + 1));
#pragma GCC unroll 8
        for (std::size_t j = 0; j < count; ++j) {
          const Pairs four = four_numbers(numbers + j * prepared.columns + 4 * i);
          first[half][j] = add_pair_products(first[half][j], upper, four);
          second[half][j] = add_pair_products(second[half][j], lower, four);
        }
      }
    }
    for (std::size_t half = 0; half < halves; ++half) {
      for (std::size_t j = 0; j < count; ++j) {  // rows 0 1 4 5 2 3 6 7
        const Counts mixed = _mm256_hadd_epi32(first[half][j], second[half][j]);
        sums[half][j] = _mm256_permute4x64_epi64(mixed, 0xd8);
      }
    }
  }
};

// A look-up of bytes: the lower and the upper byte of a level in a table each.
struct Nibbles {
  static constexpr std::size_t kWords = WeightMatrix::kGroup / 8;
  Pairs lower, upper;

  explicit Nibbles(WeightType type) {
    const IntegerLevels levels = integer_levels(type);
    alignas(16) std::uint8_t bytes[2][16];
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const auto bits = static_cast<std::uint16_t>(levels[i]);
      bytes[0][i] = static_cast<std::uint8_t>(bits);
      bytes[1][i] = static_cast<std::uint8_t>(bits >> 8);
    }
    lower = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<__m128i*>(bytes[0])));
    upper = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<__m128i*>(bytes[1])));
  }

  template <std::size_t halves, std::size_t count>
  void multiply(const std::byte* words, const PreparedInputs& prepared, std::size_t input,
                std::size_t group, Counts (&sums)[halves][count]) const {
    const std::int16_t* numbers = prepared.row(input) + group * WeightMatrix::kGroup;
    const Pairs mask = _mm256_set1_epi8(15);
    Counts first[halves][count] = {}, second[halves][count] = {};
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kWords; ++i) {
      fetch_ahead(words + i * kWordBytes);
#pragma GCC unroll 2
      for (std::size_t half = 0; half < halves; ++half) {
        const Pairs eight = load_words(words + i * kWordBytes + half * sizeof(Pairs));
#pragma GCC unroll 2
        for (std::size_t odd = 0; odd < 2; ++odd) {
          const Pairs codes =
              _mm256_and_si256(odd == 0 ? eight : _mm256_srli_epi16(eight, 4), mask);
          const Pairs low = _mm256_shuffle_epi8(lower, codes);
          const Pairs high = _mm256_shuffle_epi8(upper, codes);
          const Pairs rows_0145 = _mm256_unpacklo_epi8(low, high);
          const Pairs rows_2367 = _mm256_unpackhi_epi8(low, high);
#pragma GCC unroll 8
          for (std::size_t j = 0; j < count; ++j) {
            const Pairs four = four_numbers(numbers + j * prepared.columns + 8 * i + 4 * odd);
            first[half][j] = add_pair_products(first[half][j], rows_0145, four);
            second[half][j] = add_pair_products(second[half][j], rows_2367, four);
          }
        }
      }
    }
    for (std::size_t half = 0; half < halves; ++half) {
      for (std::size_t j = 0; j < count; ++j) {
        sums[half][j] = _mm256_hadd_epi32(first[half][j], second[half][j]);
      }
    }
  }
};

// Codes are raised by 8 to unsigned bytes, for which the offset makes up, and multiplied with the
// numbers' two bytes apart. A group's sums of either fit 16 bits: 16 products of at most 15 * 128.
struct Int4 {
  static constexpr std::size_t kWords = WeightMatrix::kGroup / 8;

  explicit Int4(WeightType) {}

  template <std::size_t halves, std::size_t count>
  void multiply(const std::byte* words, const PreparedInputs& prepared, std::size_t input,
                std::size_t group, Counts (&sums)[halves][count]) const {
    const std::int16_t* numbers = prepared.row(input) + group * WeightMatrix::kGroup;
    const Pairs mask = _mm256_set1_epi8(15), raise = _mm256_set1_epi8(static_cast<char>(0x88));
    Pairs upper[halves][count] = {}, lower[halves][count] = {};
#pragma GCC unroll 4
    for (std::size_t i = 0; i < kWords; ++i) {
      fetch_ahead(words + i * kWordBytes);
#pragma GCC unroll 2
      for (std::size_t half = 0; half < halves; ++half) {
        const Pairs eight =
            _mm256_xor_si256(raise, load_words(words + i * kWordBytes + half * sizeof(Pairs)));
        const Pairs even = _mm256_and_si256(eight, mask);
        const Pairs odd = _mm256_and_si256(_mm256_srli_epi16(eight, 4), mask);
#pragma GCC unroll 8
        for (std::size_t j = 0; j < count; ++j) {
          const std::int16_t* own = numbers + j * prepared.columns + 8 * i;
          upper[half][j] = add_bytes(upper[half][j], even, own, odd, own + 4);
          lower[half][j] = add_bytes(lower[half][j], even, own + 2, odd, own + 6);
        }
      }
    }
    const Pairs ones = _mm256_set1_epi16(1), units = _mm256_set1_epi16(256);
    for (std::size_t half = 0; half < halves; ++half) {
      for (std::size_t j = 0; j < count; ++j) {
        const Counts joined = _mm256_add_epi32(_mm256_madd_epi16(upper[half][j], units),
                                               _mm256_madd_epi16(lower[half][j], ones));
        const std::int32_t offset = prepared.row_offsets(input + j)[group];
        sums[half][j] = _mm256_add_epi32(joined, _mm256_set1_epi32(offset));
      }
    }
  }

 private:
  static Pairs add_bytes(Pairs sums, Pairs even, const std::int16_t* even_factors, Pairs odd,
                         const std::int16_t* odd_factors) {
    const Pairs first = _mm256_maddubs_epi16(even, _mm256_set1_epi32(factors_at(even_factors)));
    const Pairs second = _mm256_maddubs_epi16(odd, _mm256_set1_epi32(factors_at(odd_factors)));
    return _mm256_add_epi16(sums, _mm256_add_epi16(first, second));
  }
};

}  // namespace perf::workloads
