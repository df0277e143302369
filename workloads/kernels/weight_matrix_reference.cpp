#include <algorithm>
#include <cmath>
#include <limits>

#include "workloads/kernels/quantized_group.h"
#include "workloads/kernels/weight_matrix.h"

namespace perf::workloads {

namespace {

float rounded(float value, float low, float high) {
  return std::clamp(std::nearbyint(value), low, high);
}

// NormalFloat's levels as they are printed in QLoRA (Dettmers et al., arXiv:2305.14314), appendix
// E: not the kernel's table.
constexpr float kPrintedLevels[16] = {
    -1.0F,
    -0.6961928009986877F,
    -0.5250730514526367F,
    -0.39491748809814453F,
    -0.28444138169288635F,
    -0.18477343022823334F,
    -0.09105003625154495F,
    0.0F,
    0.07958029955625534F,
    0.16093020141124725F,
    0.24611230194568634F,
    0.33791524171829224F,
    0.44070982933044434F,
    0.5626170039176941F,
    0.7229568362236023F,
    1.0F,
};

float nearest_nf4(float value) {
  float best = kPrintedLevels[0];
  for (const float level : kPrintedLevels) {
    if (std::abs(double{value} - level) < std::abs(double{value} - best)) {
      best = level;
    }
  }
  return best;
}

// A group, by the formulas of quantized_group.h.
void round_group(WeightType type, float* values, std::size_t count) {
  float m = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(values[i])) {
      std::fill_n(values, count, std::numeric_limits<float>::quiet_NaN());
      return;
    }
    // Of two that are opposite the negative one, so that the order does not matter.
    if (std::fabs(values[i]) > std::fabs(m) || values[i] == -std::fabs(m)) {
      m = values[i];
    }
  }
  const float levels = type == WeightType::int8 ? 127 : (type == WeightType::int4 ? 8 : 1);
  const float exact = (type == WeightType::int4 ? -m : std::fabs(m)) / levels;
  if (std::fabs(exact) < std::numeric_limits<float>::min()) {
    std::fill_n(values, count, 0.0F);
    return;
  }
  Bf16 stored = narrow<Bf16>(exact);
  if (std::isinf(widen(stored) * levels))  // back to the next one towards zero
  {
    --stored.bits;
  }
  const float scale = widen(stored);
  for (std::size_t i = 0; i < count; ++i) {
    const float value = values[i] / scale;
    if (type == WeightType::int8) {
      values[i] = scale * rounded(value, -127, 127);
    } else if (type == WeightType::int4) {
      values[i] = scale * rounded(value, -8, 7);
    } else {
      values[i] = scale * nearest_nf4(value);
    }
  }
}

}  // namespace

std::vector<float> rounded_reference(WeightType type, const std::vector<float>& values,
                                     std::size_t columns) {
  std::vector<float> result = values;
  switch (type) {
    case WeightType::fp32:
      return result;
    case WeightType::bf16:
      std::for_each(result.begin(), result.end(), [](float& x) { x = widen(narrow<Bf16>(x)); });
      return result;
    case WeightType::fp16:
      std::for_each(result.begin(), result.end(), [](float& x) { x = widen(narrow<Fp16>(x)); });
      return result;
    case WeightType::int8:
    case WeightType::int4:
    case WeightType::nf4:
      break;
  }
  for (std::size_t row = 0; row + columns <= result.size(); row += columns) {
    for (std::size_t i = 0; i < columns; i += WeightMatrix::kGroup) {
      round_group(type, &result[row + i], std::min(WeightMatrix::kGroup, columns - i));
    }
  }
  return result;
}

}  // namespace perf::workloads
