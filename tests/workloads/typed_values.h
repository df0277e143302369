#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/workloads/random_values.h"
#include "workloads/kernels/dtype.h"

namespace perf::workloads {

/// For TYPED_TEST_SUITE: what weights and activations can be stored in.
using StorageTypes = testing::Types<float, Bf16, Fp16>;

/// The largest relative error of rounding to nearest: 2^-precision. For float: a few roundings, as
/// kernels compute in float all the way.
template <class T>
constexpr double kRounding = 4e-7;
template <>
inline constexpr double kRounding<Bf16> = 0x1p-8;
template <>
inline constexpr double kRounding<Fp16> = 0x1p-11;

template <class T>
std::vector<T> narrowed(const std::vector<float>& values) {
  std::vector<T> result;
  result.reserve(values.size());
  for (const float value : values) {
    result.push_back(narrow<T>(value));
  }
  return result;
}

template <class T>
std::vector<double> widened(const std::vector<T>& values) {
  std::vector<double> result;
  result.reserve(values.size());
  for (const T value : values) {
    result.push_back(widen(value));
  }
  return result;
}

/// random_values() rounded into T.
template <class T>
std::vector<T> typed_values(std::size_t count, std::uint32_t seed, float bound = 1) {
  return narrowed<T>(random_values(count, seed, bound));
}

/// Each value of `got` is the rounding of a number within `slack` (absolute) of what is wanted: so
/// a value that was rounded twice, or summed in T, is found out. An Fp16 below 6e-5 is rounded to
/// multiples of 6e-8.
template <class T>
void expect_rounded(const std::vector<T>& got, const std::vector<double>& want, double slack) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double value = widen(got[i]);
    const double tolerance =
        slack + std::abs(want[i]) * kRounding<T> + (std::is_same_v<T, Fp16> ? 0x1p-25 : 0);
    ASSERT_NEAR(value, want[i], tolerance) << "at " << i;
  }
}

}  // namespace perf::workloads
