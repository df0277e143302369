#include "workloads/kernels/quantized_group.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace perf::workloads {

namespace {

constexpr std::size_t kGroup = WeightMatrix::kGroup;
constexpr std::uint8_t kZeroNf4 = 7;

// A multiple m of the scale is the largest that can be asked for: it must not become infinite by
// the rounding of the scale.
Bf16 rounded_scale(float scale, float m) {
  if (std::fabs(scale) < std::numeric_limits<float>::min()) {
    return {};
  }
  Bf16 result = narrow<Bf16>(scale);
  if (std::isinf(widen(result) * m)) {
    --result.bits;
  }
  return result;
}

// The value of largest magnitude with its sign; NaN if one is not finite.
float largest(const float* values) {
  float low = 0, high = 0, spoiled = 0;
#pragma omp simd reduction(min : low) reduction(max : high) reduction(+ : spoiled)
  for (std::size_t i = 0; i < kGroup; ++i) {
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
    spoiled += values[i] * 0.0F;  // NaN of an infinity or a NaN
  }
  return spoiled != 0 ? spoiled : (high > -low ? high : low);
}

void round_to(float low, float high, const float* values, float scale, std::uint8_t* codes) {
#pragma omp simd
  for (std::size_t i = 0; i < kGroup; ++i) {
    const float level = std::min(std::max(std::nearbyint(values[i] / scale), low), high);
    codes[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(level));
  }
}

void round_to_nf4(const float* values, float scale, std::uint8_t* codes) {
  std::int32_t above[kGroup] = {};
  for (std::size_t level = 1; level < kNf4Levels.size(); ++level) {
    const float border = (kNf4Levels[level - 1] + kNf4Levels[level]) / 2;
#pragma omp simd
    for (std::size_t i = 0; i < kGroup; ++i) {
      above[i] += values[i] / scale > border ? 1 : 0;
    }
  }
  for (std::size_t i = 0; i < kGroup; ++i) {
    codes[i] = static_cast<std::uint8_t>(above[i]);
  }
}

// All values of a full group; a shorter one is filled up with zeros.
Bf16 quantize_full(WeightType type, const float* values, std::uint8_t* codes) {
  const float m = largest(values);
  Bf16 scale;
  if (type == WeightType::int8) {
    scale = rounded_scale(std::fabs(m) / 127, 127);
  } else if (type == WeightType::int4) {
    scale = rounded_scale(m / -8, 8);
  } else {
    scale = rounded_scale(std::fabs(m), 1);
  }
  const float divisor = widen(scale);
  if (divisor == 0 || std::isnan(divisor)) {
    std::fill_n(codes, kGroup, type == WeightType::nf4 ? kZeroNf4 : std::uint8_t{0});
    return scale;
  }
  if (type == WeightType::int8) {
    round_to(-127, 127, values, divisor, codes);
  } else if (type == WeightType::int4) {
    round_to(-8, 7, values, divisor, codes);
    for (std::size_t i = 0; i < kGroup; ++i) {
      codes[i] &= 15U;
    }
  } else {
    round_to_nf4(values, divisor, codes);
  }
  return scale;
}

}  // namespace

std::array<float, 16> four_bit_levels(WeightType type) {
  assert(type == WeightType::int4 || type == WeightType::nf4);
  if (type == WeightType::nf4) {
    return kNf4Levels;
  }
  return {0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1};
}

Bf16 quantize_group(WeightType type, const float* values, std::size_t count, std::uint8_t* codes) {
  if (count == kGroup) {
    return quantize_full(type, values, codes);
  }
  float filled[kGroup] = {};
  std::copy_n(values, count, filled);
  return quantize_full(type, filled, codes);
}

}  // namespace perf::workloads
