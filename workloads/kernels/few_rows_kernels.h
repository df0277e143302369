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

/// Asks for weights ahead of a cache line of them that is in use: memory's own prefetchers lose
/// their place at every page and at every product. Far ahead into the second cache, which waits for
/// many lines at once; from there, near, into the first, whose few buffers then have them for a
/// moment only. Share of the speed of memory over the shapes of Qwen2.5-0.5B, one input, Sapphire
/// Rapids, AVX-512 (in brackets AVX2):
///                                             fp32  bf16  int8        int4        nf4
///     8 KiB ahead past the outer caches       0.40  0.58
///     6 KiB into the first, a tile at once                0.86 (.77)  0.75 (.72)  0.74 (.66)
///     4 or 6 KiB into the first, by lines     0.97  0.78  0.86 (.79)  0.79 (.76)  0.78 (.72)
///     2 KiB into the first, 8 the second      0.97  0.93  0.93 (.93)  0.89 (.83)  0.86 (.74)
inline void fetch_ahead(const void* line) {
  const auto* at = static_cast<const std::byte*>(line);
  __builtin_prefetch(at + 2048);
  __builtin_prefetch(at + 8192, 0, 2);
}

/// For fp32, bf16 and fp16.
FewRowsKernel few_rows_floats(WeightType type);
/// For int8, int4 and nf4.
FewRowsKernel few_rows_quantized(WeightType type);

}  // namespace perf::workloads
