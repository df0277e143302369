#pragma once

#include <cstddef>

#include "workloads/kernels/weight_matrix.h"

namespace perf::workloads {

/// out (rows,W.rows) = in (rows,W.columns) W^T + beta out, of the rows of W from `first` on, a
/// multiple of 32; beta 0 or 1. For weights that are stored in fewer bits than a float. Every
/// thread unpacks some rows of W at a time into a panel that stays in its own cache, and multiplies
/// it at once with up to 512 rows of `in`: the loops around the kernel of Goto and van de Geijn,
/// "Anatomy of high-performance matrix multiplication" (ACM TOMS 34(3), 2008), which pack as they
/// unpack. Sums in single precision; the result does not depend on the number of threads.
/// scratch: many_rows_scratch(threads) floats.
void multiply_many_rows(const WeightMatrix& weights, std::size_t first, const float* in,
                        std::size_t rows, float beta, float* out, float* scratch);

std::size_t many_rows_scratch(int threads);

}  // namespace perf::workloads
