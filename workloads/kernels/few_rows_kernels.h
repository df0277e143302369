#pragma once

#include <cstddef>

#include "workloads/kernels/few_rows.h"
#include "workloads/kernels/weight_matrix.h"

namespace perf::workloads {

/// One call of multiply_few_rows(), as the kernel of a type gets it.
struct FewRowsCall {
  const WeightMatrix& weights;
  const float* in;  ///< (count,W.columns)
  std::size_t count = 1;
  float beta = 0;
  float* out = nullptr;                 ///< (count,W.rows)
  const std::byte* prepared = nullptr;  ///< what `prepare` wrote; aligned to 64 bytes
};

/// Rows of weights are shared out among the threads in multiples of so many, so that kernels may
/// interleave rows in memory; the matrix's last rows may be fewer.
inline constexpr std::size_t kRowTile = 16;

/// count times columns of a call is at most this: more is cut into calls with a smaller count.
inline constexpr std::size_t kMostPrepared = std::size_t{1} << 20;
/// Room for what `prepare` writes: 4 bytes a value, and 4 for each group of WeightMatrix::kGroup,
/// with every row padded to 64 values.
inline constexpr std::size_t kPreparedBytes = (kMostPrepared + kFewRows * 64) * 5;

/// How a type multiplies. Neither allocates nor opens a parallel region.
struct FewRowsKernel {
  /// Once a call, on one thread: `call.in` in the form that `multiply` wants. Null: as it is.
  void (*prepare)(const FewRowsCall& call, std::byte* to) = nullptr;
  /// out[:, first .. first+rows) of the call, on one thread, which has all weights of a contiguous
  /// range of rows to itself. `first` is a multiple of kRowTile.
  void (*multiply)(const FewRowsCall& call, std::size_t first, std::size_t rows) = nullptr;
};

/// For fp32, bf16 and fp16.
FewRowsKernel few_rows_floats(WeightType type);
/// For int8, int4 and nf4.
FewRowsKernel few_rows_quantized(WeightType type);

}  // namespace perf::workloads
