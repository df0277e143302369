#pragma once

#include <cstddef>

#include "workloads/kernels/weight_matrix.h"

namespace perf::workloads {

/// Rows that multiply_few_rows() takes at most: a batch of sequences that decode one token each.
inline constexpr std::size_t kFewRows = 16;

/// out (count,W.rows) = in (count,W.columns) W^T + beta out, count <= kFewRows, beta 0 or 1. Every
/// weight is read once, widened in registers and multiplied with all the rows: at one row it runs
/// at the speed of memory, which is the whole cost of decoding a token. On all threads; the result
/// does not depend on their number. Sums in single precision.
///
/// int8, int4 and nf4 are multiplied in whole numbers: in each group of columns the input is
/// rounded to multiples of its largest magnitude / 32639 (nf4: / 8191, and the levels to multiples
/// of 1 / 8191), which is far below the noise of the weights. A group of the input below 2^-100
/// counts as zero; one with an infinity or a NaN makes its outputs NaN.
void multiply_few_rows(const WeightMatrix& weights, const float* in, std::size_t count, float beta,
                       float* out);
/// Plain loops over unpack_rows(), sums in double precision.
void multiply_few_rows_reference(const WeightMatrix& weights, const float* in, std::size_t count,
                                 float beta, float* out);

}  // namespace perf::workloads
