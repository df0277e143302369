#pragma once

#include <cstddef>

namespace perf::workloads {

#if defined(__AVX512F__)
inline constexpr std::size_t kLaneBytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t kLaneBytes = 32;
#else
inline constexpr std::size_t kLaneBytes = 16;
#endif

/// A vector register of floats, by GCC's and clang's vector extension: the same source for every
/// width, where a loop left to the compiler would not keep its sums in registers. Loads and stores
/// through it are aligned to kLaneBytes. Only for the sources of kernels: a header that all include
/// would mean another type in code that is compiled for another CPU.
typedef float Lanes __attribute__((vector_size(kLaneBytes), may_alias));
inline constexpr std::size_t kLanes = kLaneBytes / sizeof(float);

inline const Lanes& lanes(const float* values) {
  return *reinterpret_cast<const Lanes*>(values);
}
inline Lanes& lanes(float* values) {
  return *reinterpret_cast<Lanes*>(values);
}

}  // namespace perf::workloads
