#include "workloads/kernels/random.h"

#include <algorithm>
#include <cmath>

namespace perf::workloads {

void fill_uniform(float* values, std::size_t count, std::uint32_t seed, float bound) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = (2 * random_unit(seed, static_cast<std::uint32_t>(i)) - 1) * bound;
  }
}

void fill_normal(float* values, std::size_t count, std::uint32_t seed, float deviation) {
  constexpr std::size_t kBlock = 1 << 14;
#pragma omp parallel for schedule(static)
  for (std::size_t first = 0; first < count; first += kBlock) {
    fill_normal_part(values + first, first, std::min(kBlock, count - first), seed, deviation);
  }
}

void fill_normal_part(float* values, std::size_t first, std::size_t count, std::uint32_t seed,
                      float deviation) {
  // Four 16-bit uniforms out of two words; their sum has variance 4 * 2^32 / 12.
  const float scale = deviation / (65536.0F * std::sqrt(1.0F / 3));
  const std::uint32_t other = seed ^ 0x5bd1e995U, start = static_cast<std::uint32_t>(first);
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t index = start + static_cast<std::uint32_t>(i);
    const std::uint32_t a = random_bits(seed, index);
    const std::uint32_t b = random_bits(other, index);
    const auto sum =
        static_cast<std::int32_t>((a >> 16) + (a & 0xffffU) + (b >> 16) + (b & 0xffffU)) - 131070;
    values[i] = static_cast<float>(sum) * scale;
  }
}

}  // namespace perf::workloads
