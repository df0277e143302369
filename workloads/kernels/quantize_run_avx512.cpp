// AVX-512: the largest values of 16 groups are found at once, their scales are made in one
// register, and the codes of a whole cache line are put together and stored past the caches, so
// that memory that is only written is not read first.
#include <algorithm>

#include "workloads/kernels/quantize_run.h"

#if defined(__AVX512BW__) && defined(__AVX512DQ__)
#include <immintrin.h>

#include <array>
#include <bit>

#include "workloads/kernels/quantization_scale.h"
#include "workloads/kernels/quantize_lines_avx512.h"
#endif

namespace perf::workloads {

namespace {
constexpr std::size_t kMostGroups = 16;  // a register has as many lanes
}

std::size_t groups_at_once(std::size_t group) {
  constexpr std::size_t kValues = 4096;
  return std::clamp<std::size_t>(kValues / group, 1, kMostGroups);
}

#if defined(__AVX512BW__) && defined(__AVX512DQ__)

namespace {

constexpr std::size_t kPage = 4096;

// The order of quantize_run.cpp's largest(), in each lane. Fetches what comes a page later: some
// CPUs' own prefetchers stop at the end of each.
__m512i largest_keys(const float* values, std::size_t count) {
  __m512i even = _mm512_setzero_si512(), odd = even;
  for (std::size_t i = 0; i < count; i += kUnit) {
    const auto* ahead = reinterpret_cast<const char*>(values + i) + kPage;
    _mm_prefetch(ahead, _MM_HINT_T0);
    _mm_prefetch(ahead + kLine, _MM_HINT_T0);
    even = _mm512_max_epu32(even, _mm512_rol_epi32(_mm512_loadu_si512(values + i), 1));
    odd = _mm512_max_epu32(odd, _mm512_rol_epi32(_mm512_loadu_si512(values + i + kLanes), 1));
  }
  return _mm512_max_epu32(even, odd);
}

// Lane i of the result: the largest lane of keys[i]. Each pass makes one register of two, in which
// every lane is the larger of two: of neighbours first, then of pairs, of quarters, of halves.
__m512i largest_of_each(__m512i (&keys)[kMostGroups]) {
  for (std::size_t i = 0; i < 8; ++i) {
    keys[i] = _mm512_max_epu32(_mm512_unpacklo_epi32(keys[i], keys[i + 8]),
                               _mm512_unpackhi_epi32(keys[i], keys[i + 8]));
  }
  for (std::size_t i = 0; i < 4; ++i) {
    keys[i] = _mm512_max_epu32(_mm512_unpacklo_epi32(keys[i], keys[i + 4]),
                               _mm512_unpackhi_epi32(keys[i], keys[i + 4]));
  }
  // Each lane of 128 bits now has the groups i, i + 4, i + 8, i + 12.
  const __m512i a = _mm512_max_epu32(_mm512_shuffle_i32x4(keys[0], keys[1], 0x44),
                                     _mm512_shuffle_i32x4(keys[0], keys[1], 0xee));
  const __m512i b = _mm512_max_epu32(_mm512_shuffle_i32x4(keys[2], keys[3], 0x44),
                                     _mm512_shuffle_i32x4(keys[2], keys[3], 0xee));
  const __m512i largest =
      _mm512_max_epu32(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xdd));
  // 0 4 8 12, 1 5 9 13, 2 ...
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, largest);
}

// stored_scale() of 16 groups, all of them finite, stored for the first `count`.
template <CodeType type, bool is_float>
__m512 store_scales(__m512i keys, std::size_t count, std::byte* to) {
  constexpr float kMost = outermost(type);
  const __m512 m =
      _mm512_castsi512_ps(is_signed(type) ? _mm512_ror_epi32(keys, 1) : _mm512_srli_epi32(keys, 1));
  __m512 scale = _mm512_div_ps(m, _mm512_set1_ps(kMost));
  const __m512i smallest = _mm512_set1_epi32(0x00800000 << 1);
  const __mmask16 is_normal = _mm512_cmp_epu32_mask(
      _mm512_slli_epi32(_mm512_castps_si512(scale), 1), smallest, _MM_CMPINT_NLT);
  __m512i bits = _mm512_maskz_mov_epi32(is_normal, _mm512_castps_si512(scale));
  const auto stored = static_cast<__mmask16>((1U << count) - 1U);
  const __m512i unit = _mm512_set1_epi32(is_float ? 1 : 0x10000);
  if constexpr (!is_float) {
    const __m512i last = _mm512_and_epi32(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    bits = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), last);
    bits = _mm512_and_epi32(bits, _mm512_set1_epi32(-0x10000));
  }
  const __m512 again = _mm512_mul_ps(_mm512_castsi512_ps(bits), _mm512_set1_ps(kMost));
  const __mmask16 is_infinite = _mm512_fpclass_ps_mask(again, 0x18);
  bits = _mm512_mask_sub_epi32(bits, is_infinite, bits, unit);
  if constexpr (is_float) {
    _mm512_mask_storeu_epi32(to, stored, bits);
  } else {
    _mm512_mask_cvtepi32_storeu_epi16(to, stored, _mm512_srli_epi32(bits, 16));
  }
  return _mm512_castsi512_ps(bits);
}

// inverses: of each unit, and zeros for a line's units past the end.
template <CodeType type>
void store_codes(const float* in, std::size_t count, const float* inverses, std::uint8_t* codes) {
  constexpr std::size_t kLineValues = kLine * 8 / kBits<type>;
  const Nf4Table table;
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(codes) % kLine == 0;
  std::size_t i = 0;
  for (; i + kLineValues <= count; i += kLineValues, codes += kLine) {
    const __m512i line = line_of<type>(in + i, inverses + i / kUnit, table);
    if (is_aligned) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(codes), line);
    } else {
      _mm512_storeu_si512(codes, line);
    }
  }
  if (i == count) {
    return;
  }
  alignas(kLine) std::array<float, kLineValues> rest{};
  alignas(kLine) std::array<std::uint8_t, kLine> line;
  std::copy(in + i, in + count, rest.begin());
  _mm512_store_si512(line.data(), line_of<type>(rest.data(), inverses + i / kUnit, table));
  std::copy_n(line.begin(), (count - i) * kLine / kLineValues, codes);
}

constexpr std::size_t kUnitsAtOnce = 128, kUnitsAfter = 8;  // 4096 values; a line of int2
constexpr std::size_t kValuesAtOnce = kUnitsAtOnce * kUnit;

using UnitInverses = std::array<float, kUnitsAtOnce + kUnitsAfter>;

// Of `count` groups, and zeros after them; of as much of a longer group as fits. fixed_units: of a
// group, where it is known: 1, 2 or 4; else 0.
template <std::size_t fixed_units>
void spread(__m512 inverses, std::size_t count, std::size_t group, UnitInverses& to) {
  if constexpr (fixed_units != 0) {
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (std::size_t i = 0; i < fixed_units; ++i) {
      const __m512i unit =
          _mm512_add_epi32(lane, _mm512_set1_epi32(static_cast<std::int32_t>(i * kLanes)));
      const __m512i of_group = _mm512_srli_epi32(unit, std::countr_zero(fixed_units));
      _mm512_store_ps(to.data() + i * kLanes, _mm512_permutexvar_ps(of_group, inverses));
    }
    return;
  }
  const std::size_t units = std::min(group / kUnit, kUnitsAtOnce);
  alignas(kLine) std::array<float, kMostGroups> of_groups;
  _mm512_store_ps(of_groups.data(), inverses);
  for (std::size_t i = 0; i < count; ++i) {
    std::fill_n(to.data() + i * units, units, of_groups[i]);
  }
  std::fill_n(to.data() + count * units, kUnitsAfter, 0.0F);
}

// `count` groups at once; false, and nothing of use is stored, if a value is not finite.
template <CodeType type, bool is_float, std::size_t fixed_units>
bool quantize_groups(const GroupRun& run, std::size_t first, std::size_t count) {
  const std::size_t group = fixed_units == 0 ? run.group : fixed_units * kUnit;
  const float* in = run.in + first * group;
  __m512i keys[kMostGroups];
  for (std::size_t i = 0; i < count; ++i) {
    keys[i] = largest_keys(in + i * group, group);
  }
  for (std::size_t i = count; i < kMostGroups; ++i) {
    keys[i] = _mm512_setzero_si512();
  }
  const __m512i largest = largest_of_each(keys);
  const auto infinity = static_cast<std::int32_t>(0xff000000U);  // without its sign
  if (_mm512_cmp_epu32_mask(largest, _mm512_set1_epi32(infinity), _MM_CMPINT_NLT) != 0) {
    return false;
  }
  const __m512 scales =
      store_scales<type, is_float>(largest, count, run.scales + first * run.scale_bytes());
  const __mmask16 is_some = _mm512_cmp_ps_mask(scales, _mm512_setzero_ps(), _CMP_NEQ_OQ);
  alignas(kLine) UnitInverses inverses;
  spread<fixed_units>(_mm512_maskz_div_ps(is_some, _mm512_set1_ps(1), scales), count, group,
                      inverses);
  std::uint8_t* codes = run.codes + first * group * kBits<type> / 8;
  const std::size_t values = count * group;
  for (std::size_t i = 0; i < values; i += kValuesAtOnce) {
    store_codes<type>(in + i, std::min(kValuesAtOnce, values - i), inverses.data(),
                      codes + i * kBits<type> / 8);
  }
  return true;
}

template <CodeType type, bool is_float, std::size_t fixed_units = 0>
void quantize_all(const GroupRun& run) {
  const std::size_t groups = run.count / run.group, step = groups_at_once(run.group);
  const auto quantize_some = [&](std::size_t first, std::size_t count) {
    if (quantize_groups<type, is_float, fixed_units>(run, first, count)) {
      return;
    }
    GroupRun spoiled = run;
    spoiled.in += first * run.group;
    spoiled.count = count * run.group;
    spoiled.codes += first * run.group * kBits<type> / 8;
    spoiled.scales += first * run.scale_bytes();
    quantize_run_portable(spoiled);
  };
  std::size_t first = 0;
  for (; first + step <= groups; first += step) {
    quantize_some(first, fixed_units == 0 ? step : kMostGroups);
  }
  if (first < groups) {
    quantize_some(first, groups - first);
  }
  _mm_sfence();  // what was stored past the caches is there when the threads meet
}

template <CodeType type>
void quantize_all_of(const GroupRun& run) {
  if (run.has_float_scales) {
    return quantize_all<type, true>(run);
  }
  switch (run.group / kUnit) {
    case 1:
      return quantize_all<type, false, 1>(run);
    case 2:
      return quantize_all<type, false, 2>(run);
    case 4:
      return quantize_all<type, false, 4>(run);
    default:
      return quantize_all<type, false>(run);
  }
}

}  // namespace

void quantize_run(const GroupRun& run) {
  if (run.group % kUnit != 0 || run.count % run.group != 0) {
    return quantize_run_portable(run);
  }
  switch (run.type) {
    case CodeType::int8:
      return quantize_all_of<CodeType::int8>(run);
    case CodeType::int4:
      return quantize_all_of<CodeType::int4>(run);
    case CodeType::int2:
      return quantize_all_of<CodeType::int2>(run);
    case CodeType::nf4:
      return quantize_all_of<CodeType::nf4>(run);
  }
}

#else

void quantize_run(const GroupRun& run) {
  quantize_run_portable(run);
}

#endif

}  // namespace perf::workloads
