#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "workloads/kernels/quantize.h"
#include "workloads/quantization/tensor_source.h"

namespace perf::workloads {

/// What is wrong with some rows of every matrix, each read from the source again and quantized by
/// quantize_reference(): the first, the last, and rows in between that the seed chooses.
struct ReferenceErrors {
  double codes = 0;   ///< share of codes that are not as near as the reference's
  double scales = 0;  ///< largest relative difference of scales; their rounding: kScaleTolerance
};
/// Copies one row of a quantized matrix: (tensor, row, to).
using ReadQuantizedRow = std::function<void(std::size_t, std::size_t, const QuantizedMatrix&)>;
ReferenceErrors reference_errors(const TensorSource& source, const Scheme& scheme,
                                 std::uint64_t seed, const ReadQuantizedRow& read);

/// Of all values of a model, matrix by matrix or piece by piece.
struct QuantizationQuality {
  QuantizationError error;
  double scales = 0;  ///< largest relative difference of a scale from what its values give

  /// `in` are the values that `quantized` was made from.
  void add(const float* in, const QuantizedMatrix& quantized);
};

/// None: a value half-way between two codes may get either, but both are as near.
inline constexpr double kCodeTolerance = 0;
/// Single precision, a quotient of it; Bf16s, which are rounded from that, are the same.
inline constexpr double kScaleTolerance = 1e-6;
/// Of QuantizationError::rounding, where the nearest code leaves at most 1.
inline constexpr double kRoundingTolerance = 1 + 2e-4;

/// Bytes of codes and scales of a model, in closed form: for each row of n columns
///     ceil(n bits / 8) + 4                 with one scale a row
///     ceil(n bits / 8) + 2 ceil(n / group)
std::uint64_t quantized_bytes_by_formula(const TensorSource& source, const Scheme& scheme);

}  // namespace perf::workloads
