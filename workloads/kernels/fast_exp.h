#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace perf::workloads {

/// e^x in single precision by arithmetic alone, so that a loop over it is vectorised: relative
/// error below 3e-7 for x in [-87, 88], clamped outside, NaN for NaN. Cephes' expf: x = n ln2 + r,
/// e^r by a polynomial of degree 7, times 2^n through the exponent bits.
inline float fast_exp(float x) {
  constexpr float kLog2E = 1.44269504088896341F;
  constexpr float kLn2High = 0.693359375F, kLn2Low = -2.12194440e-4F;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it rounds to a whole number
  // Clamped by the order of the bits: in a float comparison GCC sees two constant cases, computes
  // them apart, and no longer vectorises the loop, or to twice the time.
  constexpr auto kLeast = std::bit_cast<std::uint32_t>(-87.0F);  // as unsigned, past all positive
  constexpr auto kMost = std::bit_cast<std::int32_t>(88.0F);     // as signed, past all negative
  const auto above = std::min(std::bit_cast<std::uint32_t>(x), kLeast);
  const auto clamped = std::bit_cast<float>(std::min(std::bit_cast<std::int32_t>(above), kMost));
  const float n = (clamped * kLog2E + kRound) - kRound;
  const float r = (clamped - n * kLn2High) - n * kLn2Low;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const auto exponent = static_cast<std::uint32_t>(static_cast<std::int32_t>(n) + 127) << 23;
  const float result = p * std::bit_cast<float>(exponent);
  return x == x ? result : x;
}

/// 2^x by half the instructions: relative error below 3e-7 for x in [-126, 127], exactly 0 below
/// -126.5, wrong above 127, NaN for NaN. 2^0 is 1. x = n + f, 2^f for |f| <= 1/2 by the polynomial
/// of degree 5 of the least relative error (Remez's exchange), its constant set to 1.
inline float fast_exp2(float x) {
  // Adding it rounds to a whole number n, and leaves in the last bits the exponent of 2^n: for
  // -127, the least that is left, that of 0.
  constexpr float kRound = 12582912.0F + 127.0F;
  const float clamped = x < -127.0F ? -127.0F : x;
  const float rounded = clamped + kRound;
  const float f = clamped - (rounded - kRound);
  float p = 1.3276472e-3F;
  p = p * f + 9.675541e-3F;
  p = p * f + 5.550713e-2F;
  p = p * f + 2.402212e-1F;
  p = p * f + 6.9314694e-1F;
  p = p * f + 1.0F;
  return p * std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) << 23);
}

}  // namespace perf::workloads
