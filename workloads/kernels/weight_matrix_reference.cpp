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

float nearest_nf4(float value) {
  float best = kNf4Levels[0];
  for (const float level : kNf4Levels)
    if (std::abs(double{value} - level) < std::abs(double{value} - best))
      best = level;
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
    if (std::fabs(values[i]) > std::fabs(m) || values[i] == -std::fabs(m))
      m = values[i];
  }
  const float levels = type == WeightType::int8 ? 127 : (type == WeightType::int4 ? 8 : 1);
  const float exact = (type == WeightType::int4 ? -m : std::fabs(m)) / levels;
  if (std::fabs(exact) < std::numeric_limits<float>::min()) {
    std::fill_n(values, count, 0.0F);
    return;
  }
  Bf16 stored = narrow<Bf16>(exact);
  if (std::isinf(widen(stored) * levels))  // back to the next one towards zero
    --stored.bits;
  const float scale = widen(stored);
  for (std::size_t i = 0; i < count; ++i) {
    const float value = values[i] / scale;
    if (type == WeightType::int8)
      values[i] = scale * rounded(value, -127, 127);
    else if (type == WeightType::int4)
      values[i] = scale * rounded(value, -8, 7);
    else
      values[i] = scale * nearest_nf4(value);
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
  for (std::size_t row = 0; row + columns <= result.size(); row += columns)
    for (std::size_t i = 0; i < columns; i += WeightMatrix::kGroup)
      round_group(type, &result[row + i], std::min(WeightMatrix::kGroup, columns - i));
  return result;
}

}  // namespace perf::workloads
