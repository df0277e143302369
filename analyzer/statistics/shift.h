#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "schema/report.h"

namespace perf {

/// Where the centre of the differences is, on the scale they come in (ln of head/base).
struct Shift {
  double estimate = 0;  ///< Hodges-Lehmann
  double low = 0, high = 0;
  /// Two-sided exact signed-rank p against 0: 2 P(T+ <= s) with s = the smaller of the numbers of
  /// Walsh averages <= 0 and >= 0. Ties and zeros count against a difference, which is the closed
  /// interval's own convention and conservative for discrete data: Noether, "Wilcoxon confidence
  /// intervals for location parameters in the discrete case", JASA 62 (1967), 184-188.
  double p_value = 1;
};

/// The shift of paired differences with its exact interval W_(k) .. W_(M+1-k), which misses the
/// true centre of independent symmetric differences with probability <= look_alpha. Nothing where
/// so few differences bear no interval of this level. The differences must be finite.
std::optional<Shift> estimate_shift(std::span<const double> differences, double look_alpha);

/// Its ends so many times as far from the estimate. The p_value stays.
inline Shift widened(Shift shift, double times) {
  shift.low = shift.estimate - times * (shift.estimate - shift.low);
  shift.high = shift.estimate + times * (shift.high - shift.estimate);
  return shift;
}

/// Its estimate alone, which wants no number of differences: Hodges-Lehmann; 0 of none.
double estimate_centre(std::span<const double> differences);

/// The interval of a shift of ln(head/base) as relative changes; nothing where an end has none.
std::optional<Interval> relative_interval(const Shift& shift);

/// The change that these differences show, with its interval where they bear one of this level;
/// neither of none.
std::pair<std::optional<double>, std::optional<Interval>> shown_change(
    std::span<const double> differences, double alpha);

/// The interval lies on one side of 0: there is a shift, whatever its size.
inline bool excludes_zero(const Shift& shift) {
  return shift.low > 0 || shift.high < 0;
}

/// The Walsh averages of n differences are the M = n(n+1)/2 means (x_i + x_j)/2 with i <= j. They
/// are not laid out: with x sorted, row i is sorted too, and an order statistic of such a matrix
/// is found by partitioning its rows around pivots until a few cells a row are left, O(n log n)
/// expected.
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
