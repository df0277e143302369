#pragma once

#include "workloads/kernels/gemm.h"

namespace perf::workloads {

/// How far C = A B (beta 0) is from sums in double precision, in units of what rounding explains.
/// NaN is infinitely far. The larger of two:
/// - entries of two shifted diagonals, at least one of every row and of every column: closely, and
///   they see columns that are swapped. Rounding explains 2^-24 sqrt(k) of the sum of all |a b|,
///   and what is lost where an entry is rounded to T;
/// - all entries: of each row, groups of 32 are added up with random signs and compared with A
/// times
///   the columns of B added up likewise (Freivalds, "Probabilistic machines can use less running
///   time", IFIP Congress, 1977). Errors of rounding are independent of each other: the root of the
///   sum of their squares, twice, since of so many sums one is as far off as that.
template <class T>
double product_error(const Gemm& shape, const T* a, const T* b, const T* c);

/// Products that are right reached 0.05 in fp32 and 1 in 16 bits (all backends, k to 4096).
inline constexpr double kProductTolerance = 2;

}  // namespace perf::workloads
