#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "workloads/kernels/lanes.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace perf::workloads {

/// What kernels that go over a row several times are made of: registers from and to any address, a
/// loop that keeps its sums in several of them, e^x. Only for the sources of kernels, as lanes.h.

typedef float AnyLanes __attribute__((vector_size(kLaneBytes), may_alias, aligned(4)));
typedef std::int32_t LaneBits __attribute__((vector_size(kLaneBytes), may_alias));

/// `count` of the lanes, at most kLanes, from values; the others are `rest`.
inline Lanes load_lanes(const float* values, std::size_t count, float rest) {
  if (count == kLanes) {
    return *reinterpret_cast<const AnyLanes*>(values);
  }
  Lanes result = Lanes{} + rest;
  std::memcpy(&result, values, count * sizeof(float));
  return result;
}

inline void store_lanes(Lanes from, std::size_t count, float* values) {
  if (count == kLanes) {
    *reinterpret_cast<AnyLanes*>(values) = from;
  } else {
    std::memcpy(values, &from, count * sizeof(float));
  }
}

/// The larger of each two; of NaN and a number the second.
inline Lanes larger(Lanes a, Lanes b) {
#if defined(__AVX512F__)
  // Masked by all ones, which is no mask: the plain one trips GCC bug 105593 in every kernel.
  return _mm512_maskz_max_ps(0xffff, a, b);
#elif defined(__AVX__)
  return _mm256_max_ps(a, b);
#else
  return a > b ? a : b;
#endif
}

/// combine() over all lanes: of registers of four, then of the last four.
template <class Combine>
[[gnu::always_inline]] inline float over_lanes(Lanes values, Combine combine) {
  typedef float Four __attribute__((vector_size(16)));
  Four parts[kLanes / 4];
  std::memcpy(parts, &values, sizeof parts);
  Four all = parts[0];
  for (std::size_t i = 1; i < kLanes / 4; ++i) {
    all = combine(all, parts[i]);
  }
  return combine(combine(all[0], all[1]), combine(all[2], all[3]));
}
inline float sum_of_lanes(Lanes values) {
  return over_lanes(values, [](auto a, auto b) { return a + b; });
}
inline float largest_of_lanes(Lanes values) {
  return over_lanes(values, [](auto a, auto b) { return a > b ? a : b; });
}

/// Calls visit(first, count) for the columns [first, first + count) of a row, kLanes by kLanes, the
/// last ones apart. Inlined, so that `count` is a constant in all calls but the last.
template <class Visit>
[[gnu::always_inline]] inline void for_lanes(std::size_t columns, Visit visit) {
  std::size_t i = 0;
  for (; i + kLanes <= columns; i += kLanes) {
    visit(i, kLanes);
  }
  if (i < columns) {
    visit(i, columns - i);
  }
}

/// The same, with sums: each call of visit(first, count, sums) gets one of four sets of them, so
/// that an addition does not wait for the one before. Returns combine() of the four, which began as
/// `start`.
template <class Sums, class Visit, class Combine>
[[gnu::always_inline]] inline Sums over_row(std::size_t columns, Sums start, Visit visit,
                                            Combine combine) {
  Sums a = start, b = start, c = start, d = start;
  std::size_t i = 0;
  for (; i + 4 * kLanes <= columns; i += 4 * kLanes) {
    visit(i, kLanes, a);
    visit(i + kLanes, kLanes, b);
    visit(i + 2 * kLanes, kLanes, c);
    visit(i + 3 * kLanes, kLanes, d);
  }
  for (; i + kLanes <= columns; i += kLanes) {
    visit(i, kLanes, a);
  }
  if (i < columns) {
    visit(i, columns - i, a);
  }
  return combine(combine(a, b), combine(c, d));
}
/// A sum over the row: of what visit() adds to the register that it is given.
template <class Visit>
[[gnu::always_inline]] inline float row_sum(std::size_t columns, Visit visit) {
  return sum_of_lanes(over_row(columns, Lanes{}, visit, [](Lanes x, Lanes y) { return x + y; }));
}

/// e^x for x <= 0, with a relative error below 4e-7 as long as e^x is a normal float (x > -87.3),
/// and 6e-8 |x| more on a CPU without fused multiply-add; exactly 0 below -87.7, NaN for NaN. As
/// kernels/fast_exp.h, but shorter: there is no upper end, and the polynomial is the one of degree
/// 5 whose largest error is least (1.05e-7).
inline Lanes exp_of_negative(Lanes x) {
  constexpr float kLog2E = 1.44269504F, kLn2 = 0.693147181F, kLeast = -88.0F;
  // 1.5 * 2^23: adding it rounds to a whole number n. And 127, so that the low bits are those of
  // the exponent of 2^n; for n = -127, the least that is left, they are 0, and so is 2^n.
  constexpr float kRound = 12582912.0F + 127.0F;
  const Lanes clamped = larger(Lanes{} + kLeast, x);
  const Lanes rounded = clamped * kLog2E + kRound;
  const Lanes r = clamped - (rounded - kRound) * kLn2;
  Lanes p = r * 8.31252430e-3F + 4.18901183e-2F;
  p = p * r + 1.66671142e-1F;
  p = p * r + 4.99992311e-1F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  const LaneBits power = reinterpret_cast<const LaneBits&>(rounded) << 23;
  return p * reinterpret_cast<const Lanes&>(power);
}

}  // namespace perf::workloads
