// Maxima over floats are taken over their bits: those of positive floats are ordered as the floats
// are, and a maximum of integers is vectorised by every compiler, one of floats only by some,
// because of NaN and -0.
#include "workloads/kernels/largest.h"

#include <bit>
#include <cstdint>

namespace perf::workloads {

float largest_magnitude(const float* values, std::size_t count) {
  std::int32_t largest = 0;
#pragma omp simd reduction(max : largest)
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t bits = std::bit_cast<std::int32_t>(values[i]) & 0x7fffffff;
    largest = bits > largest ? bits : largest;
  }
  return std::bit_cast<float>(largest);
}

}  // namespace perf::workloads
