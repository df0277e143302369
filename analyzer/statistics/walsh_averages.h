#pragma once

#include <cstdint>
#include <span>

namespace perf {

/// The Walsh averages of n differences are the M = n(n+1)/2 means (x_i + x_j)/2 with i <= j. They
/// are never laid out: with x sorted, row i is sorted too, and an order statistic of such a matrix
/// is found by partitioning its rows around pivots, O(n log n) expected.
/// Monahan, "Algorithm 616: fast computation of the Hodges-Lehmann location estimator", ACM TOMS 10
/// (1984), 265-270. All functions want `sorted` ascending, finite and not empty.

/// The rank-th smallest Walsh average, rank = 1 .. M.
double walsh_order_statistic(std::span<const double> sorted, std::int64_t rank);

/// The median of the Walsh averages.
/// Hodges & Lehmann, "Estimates of location based on rank tests", Ann. Math. Statist. 34 (1963).
double hodges_lehmann(std::span<const double> sorted);

/// How many Walsh averages lie at or below a value, and at or above it.
struct WalshSides {
  std::int64_t at_or_below = 0, at_or_above = 0;
};
WalshSides walsh_sides(std::span<const double> sorted, double value);

}  // namespace perf
