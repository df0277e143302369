#pragma once

// The conversions of dtype.h for one value, without branches and by integer arithmetic, so that a
// loop over them becomes vector code on any CPU. The trick of both Fp16 directions: a float's adder
// shifts and rounds for us when the value is added to a power of two that has its last bit where
// the half's last bit is. F. Giesen, "Half to float done quick" and "Float to half done quick".

#include "workloads/kernels/dtype.h"

namespace perf::workloads {

inline float widen(float value) {
  return value;
}

inline float widen(Bf16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

inline float widen(Fp16 value) {
  const std::uint32_t bits = value.bits;
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t magnitude = (bits & 0x7fffU)
                                  << 13;  // exponent and fraction where a float's are
  const std::uint32_t normal = magnitude + ((127U - 15U) << 23);
  // Infinity and NaN: the exponent is 255, not 31 + 112. A NaN becomes a quiet one, as in hardware.
  const std::uint32_t special =
      (magnitude + ((255U - 31U) << 23)) | (magnitude > (31U << 23) ? 1U << 22 : 0U);
  // Subnormal: 2^-14 * (1 + fraction) - 2^-14, which is exact.
  const std::uint32_t small = std::bit_cast<std::uint32_t>(
      std::bit_cast<float>(magnitude + ((127U - 14U) << 23)) - 0x1p-14F);
  const std::uint32_t result =
      magnitude < (1U << 23) ? small : (magnitude < (31U << 23) ? normal : special);
  return std::bit_cast<float>(result | sign);
}

template <>
inline float narrow<float>(float value) {
  return value;
}

template <>
inline Bf16 narrow<Bf16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t last = (bits >> 16) & 1U;  // odd: a tie goes up
  const std::uint32_t rounded = (bits + 0x7fffU + last) >> 16;
  const std::uint32_t quiet_nan = (bits >> 16) | 0x40U;
  const bool is_nan = (bits & 0x7fffffffU) > 0x7f800000U;
  return {static_cast<std::uint16_t>(is_nan ? quiet_nan : rounded)};
}

template <>
inline Fp16 narrow<Fp16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t last = (magnitude >> 13) & 1U;
  // Up to 65520, where the carry reaches the exponent of infinity by itself.
  const std::uint32_t normal = (magnitude - ((127U - 15U) << 23) + 0xfffU + last) >> 13;
  // Below 2^-14: one half has the spacing 2^-24, the last bit of a subnormal half.
  const std::uint32_t small = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) -
                              std::bit_cast<std::uint32_t>(0.5F);
  const std::uint32_t quiet_nan = 0x7e00U | ((magnitude >> 13) & 0x3ffU);
  const std::uint32_t special = magnitude > 0x7f800000U ? quiet_nan : 0x7c00U;
  const std::uint32_t result = magnitude < ((127U - 14U) << 23)   ? small
                               : magnitude < ((127U + 16U) << 23) ? normal
                                                                  : special;
  return {static_cast<std::uint16_t>(result | sign)};
}

}  // namespace perf::workloads
