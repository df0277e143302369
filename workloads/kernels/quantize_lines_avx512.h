#pragma once

// Cache lines of codes, made in registers. Only for the sources of kernels that are compiled for
// AVX-512 (BW and DQ).

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "workloads/kernels/quantize.h"
#include "workloads/kernels/quantized_group.h"

namespace perf::workloads {

inline constexpr std::size_t kLanes = 16, kLine = 64;
inline constexpr std::size_t kUnit = 32;  // values that share a scale in any case

template <CodeType type>
inline constexpr std::size_t kBits = type == CodeType::int8 ? 8 : (type == CodeType::int2 ? 2 : 4);

// 64 numbers that fit a byte, in order. Those of int8 are signed.
template <bool is_signed_byte>
inline __m512i bytes_of(__m512i a, __m512i b, __m512i c, __m512i d) {
  const __m512i ab = _mm512_packs_epi32(a, b), cd = _mm512_packs_epi32(c, d);
  const __m512i mixed = is_signed_byte ? _mm512_packs_epi16(ab, cd) : _mm512_packus_epi16(ab, cd);
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, mixed);
}

// A cell is narrower than the distance of any two borders between levels, so that it has one at
// most: the code is that of the cell's lower end, or the next one past the border.
struct Nf4Cells {
  static constexpr float kCells = 15;  // -15 .. 15, cell i around i / 15
  alignas(64) std::array<float, 32> borders{};
  alignas(64) std::array<std::int32_t, 32> codes{};

  constexpr Nf4Cells() {
    for (int cell = -16; cell < 16; ++cell) {
      const auto at = static_cast<std::size_t>(cell & 31);
      const double begin = (cell - 0.5001) / kCells;
      std::size_t code = 0;
      while (code < 15 && (kNf4Levels[code] + kNf4Levels[code + 1]) / 2 < begin) {
        ++code;
      }
      codes[at] = static_cast<std::int32_t>(code);
      borders[at] = code == 15 ? 2 : (kNf4Levels[code] + kNf4Levels[code + 1]) / 2;
    }
  }
};
inline constexpr Nf4Cells kNf4Cells;

struct Nf4Table {
  __m512 low_borders, high_borders;
  __m512i low_codes, high_codes;

  Nf4Table()
      : low_borders(_mm512_load_ps(kNf4Cells.borders.data())),
        high_borders(_mm512_load_ps(kNf4Cells.borders.data() + kLanes)),
        low_codes(_mm512_load_si512(kNf4Cells.codes.data())),
        high_codes(_mm512_load_si512(kNf4Cells.codes.data() + kLanes)) {}

  __m512i codes(__m512 x) const {
    const __m512i cell = _mm512_cvtps_epi32(_mm512_mul_ps(x, _mm512_set1_ps(Nf4Cells::kCells)));
    const __m512 border = _mm512_permutex2var_ps(low_borders, cell, high_borders);
    const __m512i code = _mm512_permutex2var_epi32(low_codes, cell, high_codes);
    const __mmask16 is_past = _mm512_cmp_ps_mask(x, border, _CMP_GT_OQ);
    return _mm512_mask_add_epi32(code, is_past, code, _mm512_set1_epi32(1));
  }
};

// The codes of 64 values, one to a byte. inverses: one for each unit.
template <CodeType type>
inline __m512i byte_codes(const float* in, const float* inverses, const Nf4Table& table) {
  __m512i codes[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const __m512 x = _mm512_mul_ps(_mm512_loadu_ps(in + i * kLanes),
                                   _mm512_set1_ps(inverses[i * kLanes / kUnit]));
    codes[i] = type == CodeType::nf4 ? table.codes(x) : _mm512_cvtps_epi32(x);
  }
  const __m512i bytes = bytes_of<type != CodeType::nf4>(codes[0], codes[1], codes[2], codes[3]);
  // Only the upper end has to be limited: see round_to_integers() of quantize_run.cpp.
  if (type == CodeType::int4) {
    return _mm512_and_si512(_mm512_min_epi8(bytes, _mm512_set1_epi8(7)), _mm512_set1_epi8(15));
  }
  if (type == CodeType::int2) {
    return _mm512_and_si512(_mm512_min_epi8(bytes, _mm512_set1_epi8(1)), _mm512_set1_epi8(3));
  }
  return bytes;
}

// A cache line of codes: 64, 128 or 256 values.
template <CodeType type>
inline __m512i line_of(const float* in, const float* inverses, const Nf4Table& table) {
  const auto bytes = [&](std::size_t i) {
    return byte_codes<type>(in + i * kLine, inverses + i * kLine / kUnit, table);
  };
  if constexpr (type == CodeType::int8) {
    return bytes(0);
  } else if constexpr (type == CodeType::int2) {
    const auto fours = [&](std::size_t i) {  // 1, 4, 16 and 64 times the codes of each four
      return _mm512_madd_epi16(_mm512_maddubs_epi16(bytes(i), _mm512_set1_epi16(0x0401)),
                               _mm512_set1_epi32(0x00100001));
    };
    return bytes_of<false>(fours(0), fours(1), fours(2), fours(3));
  } else {
    const auto pairs = [&](std::size_t i) {
      return _mm512_maddubs_epi16(bytes(i), _mm512_set1_epi16(0x1001));
    };
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7),
                                    _mm512_packus_epi16(pairs(0), pairs(1)));
  }
}

}  // namespace perf::workloads
