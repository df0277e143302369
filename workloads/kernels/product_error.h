#pragma once

#include "workloads/kernels/gemm.h"

namespace perf::workloads {

/// How far C = A B (beta 0) is from sums in double precision, at entries of two shifted diagonals:
/// at least one of every row and of every column, all over the matrix. In units of what rounding
/// explains: 2^-24 sqrt(k) of the sum of all |a b|, and what is lost where it is rounded to T.
/// NaN is infinitely far.
template <class T>
double product_error(const Gemm& shape, const T* a, const T* b, const T* c);

/// Products that are right reached 0.05 in fp32 and 1 in 16 bits (all backends, k to 4096).
inline constexpr double kProductTolerance = 2;

}  // namespace perf::workloads
