#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/kernels/dtype.h"
#include "workloads/kernels/ledger.h"
#include "workloads/kernels/quantize.h"

namespace perf::workloads {

/// How the matrices of a model are stored for inference.
enum class WeightType { fp32, bf16, fp16, int8, int4, nf4 };

/// "fp32", "bf16", "fp16", "int8", "int4", "nf4": in the order of WeightType.
const std::vector<std::string>& weight_type_names();
/// Throws std::invalid_argument for another name.
WeightType weight_type_from(const std::string& name);
std::string name_of(WeightType type);
/// The type of plain rows of values; none for int8, int4 and nf4.
std::optional<DType> plain_dtype(WeightType type);

/// A matrix (rows,columns) of a linear map, rows being its outputs. int8, int4 and nf4 are cut into
/// groups of kGroup columns of a row, each with a scale of its own; how values and scales lie in
/// memory is the kernels' business (quantized_tiles.h).
struct WeightMatrix {
  WeightType type = WeightType::fp32;
  std::size_t rows = 0, columns = 0;
  std::byte* values = nullptr;

  /// Columns that share a scale.
  static constexpr std::size_t kGroup = 32;

  /// Takes its memory, zeroed, as weights.
  static WeightMatrix take(WeightType type, std::size_t rows, std::size_t columns, Ledger& memory);
  /// With its scales: what a product over it reads.
  std::size_t bytes() const;
};

/// Stores `count` rows from `first` on; values (count,columns). Rounds to the nearest value that
/// the type has: for int8, int4 and nf4 by the formulas of quantized_group.h, where an infinity or
/// a NaN makes a NaN of its group. On one thread; different rows may be stored by different threads
/// at once.
void pack_rows(const float* values, std::size_t first, std::size_t count, WeightMatrix& to);

/// The scheme whose codes and scales a type stores as they are, if it has one: int8, int4 and nf4
/// in groups of kGroup.
std::optional<Scheme> stored_scheme(WeightType type);
/// Stores codes and scales of that scheme, all rows of `from`, from row `first` on. On one thread.
void pack_codes(const QuantizedMatrix& from, std::size_t first, WeightMatrix& to);

/// What the stored rows mean, exactly: values (count,columns). On one thread; fastest for runs of
/// 16 rows that begin at a multiple of 16.
void unpack_rows(const WeightMatrix& from, std::size_t first, std::size_t count, float* values);
/// The same rounded to Bf16, for products that take that: int8, int4 and nf4 as well.
void unpack_rows(const WeightMatrix& from, std::size_t first, std::size_t count, Bf16* values);

/// fp32, bf16 and fp16 are stored as plain rows, side by side: the matrix (rows,columns) as it lies
/// there, for libraries that take it so. T is float, Bf16 or Fp16. Null where it is stored
/// otherwise.
template <class T>
const T* plain_rows(const WeightMatrix& from) {
  return plain_dtype(from.type) == kDType<T> ? reinterpret_cast<const T*>(from.values) : nullptr;
}

/// What pack_rows() followed by unpack_rows() should give, by the formulas and in plain loops.
std::vector<float> rounded_reference(WeightType type, const std::vector<float>& values,
                                     std::size_t columns);

}  // namespace perf::workloads
