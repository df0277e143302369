#pragma once

#include <cstddef>
#include <cstdint>

#include "workloads/kernels/few_rows_kernels.h"
#include "workloads/kernels/quantized_tiles.h"

namespace perf::workloads {

/// The levels of nf4 in whole numbers: so many are 1.
inline constexpr float kNf4Units = 8191;

/// The form in which kernels of quantized weights want their inputs: whole numbers (count, padded
/// columns), then (count, groups) what one of their units is worth, and as many offsets, where sums
/// of int4 begin if kSplitInputs.
struct PreparedInputs {
  std::size_t columns, groups;
  std::byte* numbers;
  std::byte* units;
  std::byte* offsets;

  static PreparedInputs of(const FewRowsCall& call, const std::byte* memory) {
    const WeightType type = call.weights.type;
    const std::size_t columns = tiles_of_row(type, call.weights.columns) * tile_shape(type).columns;
    auto* start = const_cast<std::byte*>(memory);
    const std::size_t groups = columns / WeightMatrix::kGroup;
    std::byte* units = start + call.count * columns * sizeof(std::int16_t);
    return {columns, groups, start, units, units + call.count * groups * sizeof(float)};
  }
  std::int16_t* row(std::size_t i) const {
    return reinterpret_cast<std::int16_t*>(numbers) + i * columns;
  }
  float* row_units(std::size_t i) const { return reinterpret_cast<float*>(units) + i * groups; }
  std::int32_t* row_offsets(std::size_t i) const {
    return reinterpret_cast<std::int32_t*>(offsets) + i * groups;
  }
};

#if defined(__AVX2__) && defined(__FMA__) && !defined(__AVX512BW__)
/// For int8 and nf4 numbers lie as the columns do in a word, of nf4 those in its even nibbles
/// first: 0, 2, 1, 3 and 0, 4, 1, 5, 2, 6, 3, 7.
inline constexpr bool kReorderedInputs = true;
#else
inline constexpr bool kReorderedInputs = false;
#endif

#if defined(__AVX512VNNI__)
inline constexpr bool kSplitInputs = true;
#else
/// For int4 each number is split into two signed bytes, of which it is 256 times the first plus the
/// second. Of the eight columns of a word, those in its even nibbles (columns 0, 4, 1, 5): the
/// first bytes of all four, then the second ones; after them the same of its odd nibbles. The
/// offset is -8 times the sum of a group.
inline constexpr bool kSplitInputs = kReorderedInputs;
#endif

/// FewRowsKernel::prepare of int8, int4 and nf4.
void prepare_inputs(const FewRowsCall& call, std::byte* to);

}  // namespace perf::workloads
