#include "workloads/kernels/keep_between.h"

#if defined(__AVX2__)
#include <immintrin.h>

#include <array>
#include <cstdint>
#endif

namespace perf::workloads {

#if defined(__AVX2__) && !defined(__AVX512F__)

namespace {

// Of each set of lanes, the bits of a number, which lanes they are: 0 .. 7, then any.
using LaneOrders = std::array<std::array<std::uint8_t, 8>, 256>;

constexpr LaneOrders lane_orders() {
  LaneOrders orders{};
  for (std::size_t set = 0; set < orders.size(); ++set) {
    std::size_t size = 0;
    for (std::uint8_t lane = 0; lane < 8; ++lane) {
      if ((set >> lane & 1) != 0) {
        orders[set][size++] = lane;
      }
    }
  }
  return orders;
}
alignas(64) constexpr LaneOrders kLaneOrders = lane_orders();

}  // namespace

#endif

std::size_t keep_between(const float* values, std::size_t count, float low, float high,
                         float* kept) {
  std::size_t size = 0, i = 0;
#if defined(__AVX512F__)
  // Into a register and then as a whole to memory: some CPUs take a hundred cycles for both in one
  // instruction. What lies behind the kept ones is overwritten by the next, or is not theirs: it is
  // never past what has been read.
  const __m512 lows = _mm512_set1_ps(low), highs = _mm512_set1_ps(high);
  for (; i + 16 <= count; i += 16) {
    const __m512 v = _mm512_loadu_ps(values + i);
    const __mmask16 reaching = _mm512_cmp_ps_mask(v, lows, _CMP_GE_OQ);
    const __mmask16 inside = _mm512_mask_cmp_ps_mask(reaching, v, highs, _CMP_LT_OQ);
    _mm512_storeu_ps(kept + size, _mm512_maskz_compress_ps(inside, v));
    size += static_cast<std::size_t>(__builtin_popcount(inside));
  }
#elif defined(__AVX2__)
  const __m256 lows = _mm256_set1_ps(low), highs = _mm256_set1_ps(high);
  for (; i + 8 <= count; i += 8) {
    const __m256 v = _mm256_loadu_ps(values + i);
    const __m256 inside =
        _mm256_and_ps(_mm256_cmp_ps(v, lows, _CMP_GE_OQ), _mm256_cmp_ps(v, highs, _CMP_LT_OQ));
    const auto set = static_cast<unsigned>(_mm256_movemask_ps(inside));
    const __m128i order =
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kLaneOrders[set].data()));
    _mm256_storeu_ps(kept + size, _mm256_permutevar8x32_ps(v, _mm256_cvtepu8_epi32(order)));
    size += static_cast<std::size_t>(__builtin_popcount(set));
  }
#endif
  // Without a branch, which would be mispredicted for every other value.
  for (; i < count; ++i) {
    const float value = values[i];
    kept[size] = value;
    size += static_cast<std::size_t>(value >= low) & static_cast<std::size_t>(value < high);
  }
  return size;
}

}  // namespace perf::workloads
