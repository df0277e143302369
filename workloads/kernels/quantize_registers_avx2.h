#pragma once

// quantize_registers.h for AVX2. What each does is said in quantize_registers_avx512.h.

#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "workloads/kernels/lanes.h"

namespace perf::workloads {

using Floats = __m256;
using Ints = __m256i;

inline Floats load_floats(const float* from) {
  return _mm256_loadu_ps(from);
}
inline Ints load_bits(const float* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
inline void store_floats(float* to, Floats values) {
  _mm256_store_ps(to, values);
}
inline Floats same(float value) {
  return _mm256_set1_ps(value);
}
inline Floats as_floats(Ints bits) {
  return _mm256_castsi256_ps(bits);
}
inline Ints as_bits(Floats values) {
  return _mm256_castps_si256(values);
}
inline Floats magnitudes(Floats values) {
  return _mm256_and_ps(values, as_floats(_mm256_set1_epi32(0x7fffffff)));
}

inline Ints larger_unsigned(Ints a, Ints b) {
  return _mm256_max_epu32(a, b);
}
inline bool any_reaches(Ints a, std::uint32_t limit) {
  const Ints limits = _mm256_set1_epi32(static_cast<std::int32_t>(limit));
  return _mm256_movemask_epi8(_mm256_cmpeq_epi32(larger_unsigned(a, limits), a)) != 0;
}
template <bool with_sign>
struct LargestKeys {
  Ints largest = _mm256_setzero_si256();
  void take(Ints bits) { largest = larger_unsigned(largest, _mm256_add_epi32(bits, bits)); }
  void take(const LargestKeys& more) { largest = larger_unsigned(largest, more.largest); }
  Ints keys() const { return largest; }
};
// Nothing rotates here. As signed integers the bits of positive floats are in the order of their
// magnitudes, and above negative ones, which are in theirs; as unsigned ones these are above.
template <>
struct LargestKeys<true> {
  Ints positive = _mm256_set1_epi32(INT32_MIN), negative = _mm256_setzero_si256();
  void take(Ints bits) {
    positive = _mm256_max_epi32(positive, bits);
    negative = larger_unsigned(negative, bits);
  }
  void take(const LargestKeys& more) {
    positive = _mm256_max_epi32(positive, more.positive);
    negative = larger_unsigned(negative, more.negative);
  }
  // Where none is positive, both are the same negative float, whose own key is the larger.
  Ints keys() const {
    const Ints signs = _mm256_srai_epi32(negative, 31);
    return larger_unsigned(_mm256_add_epi32(positive, positive),
                           _mm256_sub_epi32(_mm256_add_epi32(negative, negative), signs));
  }
};
inline Floats float_of(Ints key) {
  return as_floats(_mm256_or_si256(_mm256_srli_epi32(key, 1), _mm256_slli_epi32(key, 31)));
}
inline Ints largest_of_each(Ints (&keys)[kLanes]) {
  for (std::size_t step = 4; step >= 2; step /= 2) {
    for (std::size_t i = 0; i < step; ++i) {
      keys[i] = larger_unsigned(_mm256_unpacklo_epi32(keys[i], keys[i + step]),
                                _mm256_unpackhi_epi32(keys[i], keys[i + step]));
    }
  }
  // Each half now has the groups i, i + 2, i + 4, i + 6.
  const Ints largest = larger_unsigned(_mm256_permute2x128_si256(keys[0], keys[1], 0x20),
                                       _mm256_permute2x128_si256(keys[0], keys[1], 0x31));
  return _mm256_permutevar8x32_epi32(largest, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

inline Floats normal_or_zero(Floats values) {
  return _mm256_and_ps(_mm256_cmp_ps(magnitudes(values), same(0x1p-126F), _CMP_GE_OQ), values);
}
inline Ints less_where_infinite(Ints bits, Floats test, std::int32_t unit) {
  const Ints infinity = _mm256_set1_epi32(0x7f800000);
  const Ints is_infinite = _mm256_cmpeq_epi32(as_bits(magnitudes(test)), infinity);
  return _mm256_sub_epi32(bits, _mm256_and_si256(is_infinite, _mm256_set1_epi32(unit)));
}
inline Ints rounded_to_bf16(Ints bits) {
  const Ints last = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  const Ints sum = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), last);
  return _mm256_and_si256(sum, _mm256_set1_epi32(-0x10000));
}
inline Floats inverses_of(Floats values) {
  return _mm256_and_ps(_mm256_cmp_ps(values, same(0), _CMP_NEQ_OQ), _mm256_div_ps(same(1), values));
}
inline void store_words(std::byte* to, std::size_t count, Ints bits) {
  std::memcpy(to, &bits, count * sizeof(std::int32_t));
}
inline void store_upper_halves(std::byte* to, std::size_t count, Ints bits) {
  const Ints halves = _mm256_srli_epi32(bits, 16);
  const __m128i packed =
      _mm256_castsi256_si128(_mm256_permute4x64_epi64(_mm256_packus_epi32(halves, halves), 0xd8));
  if (count == kLanes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), packed);
  } else {
    std::memcpy(to, &packed, count * sizeof(std::int16_t));
  }
}
template <std::size_t times>
inline void spread_lanes(Floats values, float* to) {
  const Ints lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < times; ++i) {
    const Ints from = _mm256_add_epi32(lane, _mm256_set1_epi32(static_cast<int>(i * kLanes)));
    store_floats(to + i * kLanes, _mm256_permutevar8x32_ps(
                                      values, _mm256_srli_epi32(from, std::countr_zero(times))));
  }
}

inline Ints rounded(Floats values) {
  return _mm256_cvtps_epi32(values);
}
inline Ints truncated(Floats values) {
  return _mm256_cvttps_epi32(values);
}
template <bool is_signed_byte>
inline Ints bytes_of(Ints a, Ints b, Ints c, Ints d) {
  const Ints ab = _mm256_packs_epi32(a, b), cd = _mm256_packs_epi32(c, d);
  const Ints mixed = is_signed_byte ? _mm256_packs_epi16(ab, cd) : _mm256_packus_epi16(ab, cd);
  return _mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}
inline Ints limited_bytes(Ints bytes, char most, char mask) {
  return _mm256_and_si256(_mm256_min_epi8(bytes, _mm256_set1_epi8(most)), _mm256_set1_epi8(mask));
}
template <int bits>
inline Ints join_bytes(Ints bytes) {
  return _mm256_maddubs_epi16(bytes, _mm256_set1_epi16(1 + (256 << bits)));
}
template <int bits>
inline Ints join_halves(Ints halves) {
  return _mm256_madd_epi16(halves, _mm256_set1_epi32(1 + (0x10000 << bits)));
}
inline Ints lower_bytes_of(Ints a, Ints b) {
  return _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8);
}

// A permutation has eight places: which of two tables, bit 3 of the place says.
struct FloatTable {
  __m256 lower, upper;
  explicit FloatTable(const float* from)
      : lower(_mm256_load_ps(from)), upper(_mm256_load_ps(from + 8)) {}
  Floats operator[](Ints places) const {
    return _mm256_blendv_ps(_mm256_permutevar8x32_ps(lower, places),
                            _mm256_permutevar8x32_ps(upper, places),
                            as_floats(_mm256_slli_epi32(places, 28)));
  }
};
inline Ints one_more_past(Ints numbers, Floats x, Floats border) {
  return _mm256_sub_epi32(numbers, as_bits(_mm256_cmp_ps(x, border, _CMP_GT_OQ)));
}

inline void stream_codes(std::uint8_t* to, Ints codes) {
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), codes);
}
inline void store_codes_to(std::uint8_t* to, Ints codes) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), codes);
}

}  // namespace perf::workloads
