#include "workloads/kernels/quantized_inputs.h"

#include <algorithm>
#include <bit>
#include <limits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace perf::workloads {

namespace {

constexpr std::size_t kGroup = WeightMatrix::kGroup;

// The input's largest number of a group. Sums over a group have to fit 31 bits: the codes of int8
// and int4 leave room enough for all of 16 bits, while nf4 has to share with its levels.
// 32639 is 127 * 256 + 127: it splits into two signed bytes.
constexpr float kMostInput = 32639, kMostNf4Input = 8191;
static_assert(kGroup * 8191ULL * 8191 < 1ULL << 31 && kGroup * 32639ULL * 128 < 1ULL << 31);

#if defined(__AVX2__)
constexpr std::size_t kNumbers = 16;  // in a register

__m256i load_numbers(const std::int16_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
void store_numbers(__m256i numbers, std::int16_t* to) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), numbers);
}

// A group's numbers, in place.
[[maybe_unused]] void reorder_numbers(WeightType type, std::int16_t* numbers) {
  const __m128i of_bytes = _mm_setr_epi8(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
  const __m128i of_nibbles = _mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
  const __m256i order =
      _mm256_broadcastsi128_si256(type == WeightType::int8 ? of_bytes : of_nibbles);
  for (std::size_t i = 0; i < kGroup; i += kNumbers) {
    store_numbers(_mm256_shuffle_epi8(load_numbers(numbers + i), order), numbers + i);
  }
}

// |number| <= 32639; returns their sum.
[[maybe_unused]] std::int32_t split_numbers(std::int16_t* numbers) {
  const __m256i upper = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(1, 9, 3, 11, -1, -1, -1, -1, 5, 13, 7, 15, -1, -1, -1, -1));
  const __m256i lower = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(-1, -1, -1, -1, 0, 8, 2, 10, -1, -1, -1, -1, 4, 12, 6, 14));
  __m256i sums = _mm256_setzero_si256();
  for (std::size_t i = 0; i < kGroup; i += kNumbers) {
    const __m256i whole = load_numbers(numbers + i);
    const __m256i rounded = _mm256_add_epi16(whole, _mm256_set1_epi16(128));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(whole, _mm256_set1_epi16(1)));
    store_numbers(
        _mm256_or_si256(_mm256_shuffle_epi8(rounded, upper), _mm256_shuffle_epi8(whole, lower)),
        numbers + i);
  }
  __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
  return _mm_extract_epi32(half, 0) + _mm_extract_epi32(half, 1);
}
#else
[[maybe_unused]] void reorder_numbers(WeightType, std::int16_t*) {}

[[maybe_unused]] std::int32_t split_numbers(std::int16_t*) {
  return 0;
}
#endif

// out (kGroup) = in / unit, rounded to nearest even. Returns the unit.
float round_input(const float* in, float most, std::int16_t* out) {
  // Magnitudes by their bits: as integers they are in the same order, infinity and NaN on top.
  std::uint32_t bits = 0;
#pragma omp simd reduction(max : bits)
  for (std::size_t i = 0; i < kGroup; ++i) {
    bits = std::max(bits, std::bit_cast<std::uint32_t>(in[i]) & 0x7fffffffU);
  }
  const float largest = std::bit_cast<float>(bits);
  constexpr float kSmallest = 0x1p-100F;  // its inverse, and what is made of it, stay finite
  if (!(largest >= kSmallest && largest <= std::numeric_limits<float>::max())) {
    std::fill_n(out, kGroup, std::int16_t{0});
    return largest < kSmallest ? 0 : std::numeric_limits<float>::quiet_NaN();
  }
  const float inverse = most / largest;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: leaves the integer in the sum's low bits
#pragma omp simd
  for (std::size_t i = 0; i < kGroup; ++i) {
    out[i] = static_cast<std::int16_t>(std::bit_cast<std::uint32_t>(in[i] * inverse + kRound));
  }
  return 1 / inverse;
}

}  // namespace

void prepare_inputs(const FewRowsCall& call, std::byte* to) {
  const PreparedInputs prepared = PreparedInputs::of(call, to);
  for (std::size_t i = 0; i < call.count; ++i) {
    const float* in = call.in + i * call.weights.columns;
    for (std::size_t group = 0; group < prepared.groups; ++group) {
      const std::size_t begin = std::min(call.weights.columns, group * kGroup);
      const std::size_t count = std::min(kGroup, call.weights.columns - begin);
      const float* values = in + begin;
      float filled[kGroup] = {};
      if (count < kGroup) {
        values = std::copy_n(values, count, filled) - count;
      }
      std::int16_t* numbers = prepared.row(i) + group * kGroup;
      prepared.row_units(i)[group] = call.weights.type == WeightType::nf4
                                         ? round_input(values, kMostNf4Input, numbers) / kNf4Units
                                         : round_input(values, kMostInput, numbers);
      if constexpr (kSplitInputs) {
        if (call.weights.type == WeightType::int4) {
          prepared.row_offsets(i)[group] = -8 * split_numbers(numbers);
        }
      }
      if constexpr (kReorderedInputs) {
        if (call.weights.type != WeightType::int4) {
          reorder_numbers(call.weights.type, numbers);
        }
      }
    }
  }
}

}  // namespace perf::workloads
