#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perf::workloads {

/// In what type weights and activations are stored. Sums are always taken in single precision.
enum class DType { fp32, bf16, fp16 };

/// "fp32", "bf16", "fp16": in the order of DType.
const std::vector<std::string>& dtype_names();
/// Throws std::invalid_argument for another name.
DType dtype_from(const std::string& name);
std::string name_of(DType dtype);
std::size_t bytes_of(DType dtype);

/// The upper half of a float: 8 bits of exponent, 8 of precision.
struct Bf16 {
  std::uint16_t bits = 0;
};

/// IEEE 754 binary16: 5 bits of exponent, 11 of precision, largest 65504.
struct Fp16 {
  std::uint16_t bits = 0;
};

/// The DType that stores values of this C++ type.
template <class T>
inline constexpr DType kDType = DType::fp32;
template <>
inline constexpr DType kDType<Bf16> = DType::bf16;
template <>
inline constexpr DType kDType<Fp16> = DType::fp16;

/// The value, exactly.
float widen(float value);
float widen(Bf16 value);
float widen(Fp16 value);

/// The nearest value of the type, ties to even; past the largest: infinity; NaN stays NaN. Numbers
/// too small for a float's exponent (subnormal floats) are rounded like any other.
template <class T>
T narrow(float value);

/// `count` values one by one. `from` and `to` do not overlap. On one thread.
template <class T>
void widen(const T* from, std::size_t count, float* to);
template <class T>
void narrow(const float* from, std::size_t count, T* to);

}  // namespace perf::workloads

#include "workloads/kernels/dtype_inline.h"
