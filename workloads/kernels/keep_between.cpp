#include "workloads/kernels/keep_between.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace perf::workloads {

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
