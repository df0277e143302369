#pragma once

// Scales: how they are chosen, rounded and stored. Only for the sources of kernels.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/quantize.h"

namespace perf::workloads {

/// What the value of largest magnitude becomes, in units of the scale: an int8 either end, int4 and
/// int2 the one end that has no opposite, nf4 its outer level.
constexpr float outermost(CodeType type) {
  switch (type) {
    case CodeType::int8:
      return 127;
    case CodeType::int4:
      return -8;
    case CodeType::int2:
      return -2;
    case CodeType::nf4:
      break;
  }
  return 1;
}

/// Whether the scale takes the sign of the value, so that it lands on the end that is outermost.
constexpr bool is_signed(CodeType type) {
  return outermost(type) < 0;
}

/// The code of zero.
constexpr std::uint8_t zero_code(CodeType type) {
  return type == CodeType::nf4 ? 7 : 0;
}

/// As it is stored. A scale that would be subnormal is 0; one that rounding makes so large that
/// `most` times it is infinite, the next smaller one.
template <class Scale>
Scale stored_scale(float scale, float most) {
  if (std::fabs(scale) < std::numeric_limits<float>::min()) {
    return {};
  }
  Scale result = narrow<Scale>(scale);
  if (std::isinf(widen(result) * most) && !std::isinf(scale)) {
    using Bits = std::conditional_t<sizeof(Scale) == 2, std::uint16_t, std::uint32_t>;
    result = std::bit_cast<Scale>(static_cast<Bits>(std::bit_cast<Bits>(result) - 1U));
  }
  return result;
}

/// Scale `i` of a row, and a new value for it: a float for a whole row, a Bf16 for a group.
inline float scale_at(const Scheme& scheme, const std::byte* scales, std::size_t i) {
  if (scheme.group == 0) {
    float scale;
    std::memcpy(&scale, scales + i * sizeof scale, sizeof scale);
    return scale;
  }
  Bf16 scale;
  std::memcpy(&scale, scales + i * sizeof scale, sizeof scale);
  return widen(scale);
}

}  // namespace perf::workloads
