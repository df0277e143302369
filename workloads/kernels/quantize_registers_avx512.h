#pragma once

// quantize_registers.h for AVX-512 (BW and DQ).

#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "workloads/kernels/lanes.h"

namespace perf::workloads {

using Floats = __m512;
using Ints = __m512i;

inline Floats load_floats(const float* from) {
  return _mm512_loadu_ps(from);
}
inline Ints load_bits(const float* from) {
  return _mm512_loadu_si512(from);
}
inline void store_floats(float* to, Floats values) {
  _mm512_store_ps(to, values);
}
inline Floats same(float value) {
  return _mm512_set1_ps(value);
}
inline Floats as_floats(Ints bits) {
  return _mm512_castsi512_ps(bits);
}
inline Ints as_bits(Floats values) {
  return _mm512_castps_si512(values);
}
inline Floats magnitudes(Floats values) {
  return _mm512_abs_ps(values);
}

inline Ints larger_unsigned(Ints a, Ints b) {
  return _mm512_max_epu32(a, b);
}
// As unsigned integers.
inline bool any_reaches(Ints a, std::uint32_t limit) {
  const Ints limits = _mm512_set1_epi32(static_cast<std::int32_t>(limit));
  return _mm512_cmp_epu32_mask(a, limits, _MM_CMPINT_NLT) != 0;
}
// The largest key of all floats taken: their bits with the sign as the last one, or, where signs do
// not matter, without.
template <bool with_sign>
struct LargestKeys {
  Ints largest = _mm512_setzero_si512();
  void take(Ints bits) {
    largest = larger_unsigned(largest,
                              with_sign ? _mm512_rol_epi32(bits, 1) : _mm512_add_epi32(bits, bits));
  }
  void take(const LargestKeys& more) { largest = larger_unsigned(largest, more.largest); }
  Ints keys() const { return largest; }
};
// The float of a key.
inline Floats float_of(Ints key) {
  return as_floats(_mm512_ror_epi32(key, 1));
}
// Lane i: the largest lane of keys[i]. Each pass makes one register of two, in which every lane is
// the larger of two: of neighbours first, then of pairs, of quarters, of halves.
inline Ints largest_of_each(Ints (&keys)[kLanes]) {
  for (std::size_t i = 0; i < 8; ++i) {
    keys[i] = larger_unsigned(_mm512_unpacklo_epi32(keys[i], keys[i + 8]),
                              _mm512_unpackhi_epi32(keys[i], keys[i + 8]));
  }
  for (std::size_t i = 0; i < 4; ++i) {
    keys[i] = larger_unsigned(_mm512_unpacklo_epi32(keys[i], keys[i + 4]),
                              _mm512_unpackhi_epi32(keys[i], keys[i + 4]));
  }
  // Each lane of 128 bits now has the groups i, i + 4, i + 8, i + 12.
  const Ints a = larger_unsigned(_mm512_shuffle_i32x4(keys[0], keys[1], 0x44),
                                 _mm512_shuffle_i32x4(keys[0], keys[1], 0xee));
  const Ints b = larger_unsigned(_mm512_shuffle_i32x4(keys[2], keys[3], 0x44),
                                 _mm512_shuffle_i32x4(keys[2], keys[3], 0xee));
  const Ints largest =
      larger_unsigned(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xdd));
  // 0 4 8 12, 1 5 9 13, 2 ...
  const Ints order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, largest);
}

// `values` where the magnitude is a normal number, or larger; else 0.
inline Floats normal_or_zero(Floats values) {
  return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(magnitudes(values), same(0x1p-126F), _CMP_GE_OQ),
                             values);
}
// bits - unit where `test` is infinite.
inline Ints less_where_infinite(Ints bits, Floats test, std::int32_t unit) {
  const __mmask16 is_infinite = _mm512_fpclass_ps_mask(test, 0x18);
  return _mm512_mask_sub_epi32(bits, is_infinite, bits, _mm512_set1_epi32(unit));
}
// Rounded to Bf16, to nearest even, which stay in the upper half of each lane.
inline Ints rounded_to_bf16(Ints bits) {
  const Ints last = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const Ints sum = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), last);
  return _mm512_and_si512(sum, _mm512_set1_epi32(-0x10000));
}
// 1 / values, and 0 for 0.
inline Floats inverses_of(Floats values) {
  const __mmask16 is_some = _mm512_cmp_ps_mask(values, same(0), _CMP_NEQ_OQ);
  return _mm512_maskz_div_ps(is_some, same(1), values);
}
// Lanes [0, count), whole or their upper halves.
inline void store_words(std::byte* to, std::size_t count, Ints bits) {
  _mm512_mask_storeu_epi32(to, static_cast<__mmask16>((1U << count) - 1U), bits);
}
inline void store_upper_halves(std::byte* to, std::size_t count, Ints bits) {
  _mm512_mask_cvtepi32_storeu_epi16(to, static_cast<__mmask16>((1U << count) - 1U),
                                    _mm512_srli_epi32(bits, 16));
}
// to (times kLanes) = each lane `times` times: 1, 2 or 4.
template <std::size_t times>
inline void spread_lanes(Floats values, float* to) {
  const Ints lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < times; ++i) {
    const Ints from = _mm512_add_epi32(lane, _mm512_set1_epi32(static_cast<int>(i * kLanes)));
    store_floats(to + i * kLanes,
                 _mm512_permutexvar_ps(_mm512_srli_epi32(from, std::countr_zero(times)), values));
  }
}

inline Ints rounded(Floats values) {
  return _mm512_cvtps_epi32(values);
}
inline Ints truncated(Floats values) {
  return _mm512_cvttps_epi32(values);
}
// 4 kLanes numbers that fit a byte, in order. Those of int8 are signed.
template <bool is_signed_byte>
inline Ints bytes_of(Ints a, Ints b, Ints c, Ints d) {
  const Ints ab = _mm512_packs_epi32(a, b), cd = _mm512_packs_epi32(c, d);
  const Ints mixed = is_signed_byte ? _mm512_packs_epi16(ab, cd) : _mm512_packus_epi16(ab, cd);
  const Ints order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, mixed);
}
// The lowest bits of each byte, of at most `most`.
inline Ints limited_bytes(Ints bytes, char most, char mask) {
  return _mm512_and_si512(_mm512_min_epi8(bytes, _mm512_set1_epi8(most)), _mm512_set1_epi8(mask));
}
// Of each two bytes the first + 2^bits times the second; of each two halves the same.
template <int bits>
inline Ints join_bytes(Ints bytes) {
  return _mm512_maddubs_epi16(bytes, _mm512_set1_epi16(1 + (256 << bits)));
}
template <int bits>
inline Ints join_halves(Ints halves) {
  return _mm512_madd_epi16(halves, _mm512_set1_epi32(1 + (0x10000 << bits)));
}
// The lower bytes of all halves, in order.
inline Ints lower_bytes_of(Ints a, Ints b) {
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7),
                                  _mm512_packus_epi16(a, b));
}

// 16 floats to look up by their place.
struct FloatTable {
  __m512 values;
  explicit FloatTable(const float* from) : values(_mm512_load_ps(from)) {}
  Floats operator[](Ints places) const { return _mm512_permutexvar_ps(places, values); }
};
// numbers + 1 where x > border
inline Ints one_more_past(Ints numbers, Floats x, Floats border) {
  return _mm512_mask_add_epi32(numbers, _mm512_cmp_ps_mask(x, border, _CMP_GT_OQ), numbers,
                               _mm512_set1_epi32(1));
}

// To an address that is a multiple of kLaneBytes, past the caches; to any; from and to memory.
inline void stream_codes(std::uint8_t* to, Ints codes) {
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), codes);
}
inline void store_codes_to(std::uint8_t* to, Ints codes) {
  _mm512_storeu_si512(to, codes);
}

}  // namespace perf::workloads
