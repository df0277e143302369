#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "schema/report.h"

namespace perf {

/// Up to here the null distribution is exact; beyond it the normal approximation with continuity
/// correction is used, whose tails are heavier than the exact ones, so that it errs on the side of
/// wider intervals.
inline constexpr int kExactPairs = 300;

/// M = n(n+1)/2: the number of Walsh averages of n differences, and the largest T+.
constexpr std::int64_t walsh_count(int pairs) {
  return static_cast<std::int64_t>(pairs) * (pairs + 1) / 2;
}

/// P(T+ <= t) for the Wilcoxon signed-rank statistic T+ of n independent differences symmetric
/// about 0: every rank 1..n counts or not with probability 1/2.
/// Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945), 80-83;
/// the recursion is in Hollander & Wolfe, "Nonparametric Statistical Methods", section 3.1.
double signed_rank_cdf(int pairs, std::int64_t t);

/// k = the number of t with P(T+ <= t) <= look_alpha / 2. The interval W_(k) .. W_(M+1-k) of the
/// sorted Walsh averages then misses the centre with probability at most look_alpha; 0 when no
/// interval of this level exists for so few pairs. Hollander & Wolfe, section 3.3.
std::int64_t signed_rank_k(int pairs, double look_alpha);

/// Up to this many values a side the null distribution is exact; beyond it the normal
/// approximation with continuity correction is used, whose tails are heavier than the exact ones,
/// so that it errs on the side of wider intervals.
inline constexpr int kExactSessions = 50;

/// P(U <= u) for the Mann-Whitney statistic U, the number of pairs (x, y) with x < y, of m and n
/// independent values of one continuous distribution.
/// Mann & Whitney, "On a test of whether one of two random variables is stochastically larger than
/// the other", Ann. Math. Statist. 18 (1947), 50-60, with the recursion of its section 3.
double mann_whitney_cdf(int m, int n, std::int64_t u);

/// k = the number of u with P(U <= u) <= alpha / 2. The interval D_(k) .. D_(mn+1-k) of the sorted
/// differences y - x then misses the shift with probability at most alpha; 0 when so few values
/// have no interval of this level. Hollander, Wolfe & Chicken, "Nonparametric Statistical Methods",
/// 3rd edition (2014), section 4.3.
std::int64_t mann_whitney_k(int m, int n, double alpha);

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
/// so few differences have no interval of this level. The differences must be finite.
std::optional<Shift> estimate_shift(std::span<const double> differences, double look_alpha);

/// Its ends so many times as far from the estimate. The p_value stays.
inline Shift widened(Shift shift, double times) {
  shift.low = shift.estimate - times * (shift.estimate - shift.low);
  shift.high = shift.estimate + times * (shift.high - shift.estimate);
  return shift;
}

/// Its estimate alone, which needs no number of differences: Hodges-Lehmann; 0 of none.
double estimate_centre(std::span<const double> differences);

/// The interval of a shift of ln(head/base) as relative changes; nothing where an end has none.
std::optional<Interval> relative_interval(const Shift& shift);

/// The change that these differences show, with its interval where there is one of this level;
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
/// (1984), 265-270. All functions need `sorted` ascending, finite and not empty.

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

/// How far the sessions of a series are correlated: a slow week, a warm room. Sessions that follow
/// each other are then no independent values, and an interval that takes them for such is too
/// short.
struct SessionNoise {
  /// What the correlation of a session with the next may be, at most: an upper bound of 99 % for
  /// many sessions, of at least 92 % for ten, and at least 0.
  double correlation = 0;
  /// Half the width of an interval that knows of it over half the width of one that does not; at
  /// least 1.
  double widening = 1;
};

/// Judged from both sides' sessions in the order of time, each at least two values.
///
/// The correlation is the first autocorrelation r of the values about each side's own mean, over
/// both sides together: a change between the sides is none within one. Of so few sessions it is
/// small by about (1 + 3 rho)/n (Kendall, "Note on bias in the estimation of autocorrelation",
/// Biometrika 41 (1954), 403-404), which is put back, and its standard error is about 1/sqrt(N) of
/// N sessions (Bartlett, JRSS Suppl. 8 (1946), 27-41), of which 2.33 are added.
///
/// The variance of a mean of n such values is V/n with V = 1 + 2 sum_j (1 - j/n) rho^j, that is n/V
/// independent ones; and their sample variance is small by (n - V)/(n - 1). Both together: what one
/// side adds to the squared standard error is (n - 1)/(n (n/V - 1)) in place of 1/n. The
/// Hodges-Lehmann shift loses a little less than the mean does (Serfling, "The Wilcoxon two-sample
/// statistic on strongly mixing processes", Ann. Math. Statist. 39 (1968), 1202-1209: for normal
/// noise (6/pi) arcsin(rho/2) <= rho stands in place of rho), so that the mean's loss is safe.
SessionNoise session_noise(std::span<const double> base, std::span<const double> head);

/// The same of one series of `count` values, at least 2, of a known correlation below 1.
double widening_by(std::size_t count, double correlation);

/// From this many sessions a side the series itself shows the noise between sessions.
inline constexpr int kFewestSessions = 8;

/// The shift of head's sessions against base's, one value a session.
struct TwoSampleShift {
  Shift shift;  ///< its p_value is not filled in: the interval is wider than the test's
  SessionNoise noise;
};

/// The median of all differences y - x: the two-sample estimate of Hodges & Lehmann, "Estimates of
/// location based on rank tests", Ann. Math. Statist. 34 (1963), 598-611. Neither side may be
/// empty.
double two_sample_estimate(std::span<const double> base, std::span<const double> head);

/// The estimate with the interval D_(k) .. D_(mn+1-k) of the sorted differences (Hollander, Wolfe &
/// Chicken, sections 4.2 and 4.3), k by the exact Mann-Whitney distribution, each end then moved
/// away from the estimate by the widening that session_noise finds. The values are of one
/// session each, in the order of time, on the scale of ln, and finite: the noise between sessions,
/// which repetitions within one do not show, is then in the data. With independent sessions the
/// interval misses the true shift with probability <= alpha, whatever the shape of their noise;
/// with correlated sessions about as well (docs/judge.md has the table). Nothing where a
/// side has fewer than kFewestSessions, or so few have no interval of this level.
std::optional<TwoSampleShift> estimate_two_sample_shift(std::span<const double> base,
                                                        std::span<const double> head, double alpha);

/// The shift of head's sessions against the last `own` of base's alone, of which there may be one,
/// where the others before them show the noise: the difference of the medians, give or take t s
/// sqrt(a + b). s is the pooled deviation about each side's mean, a and b are what a side adds to
/// the squared error (session_noise; of base for a mean of `own` values), and t is the two-sided
/// quantile of a t distribution with 3 degrees of freedom, scaled to the deviation 1, so that tails
/// may be heavy. Both sides as of estimate_two_sample_shift, which has an interval for them.
Shift shift_of_last(std::span<const double> base, std::size_t own, std::span<const double> head,
                    double alpha, const SessionNoise& noise);

/// The fewest sessions a side, equal on both, that have an interval of this level; kExactSessions
/// have any that a report can need.
int fewest_sessions(double alpha);

/// The estimate with that interval as it is, of uncorrelated values: the
/// repetitions of two sessions. Nothing where so few have none of this level.
std::optional<Shift> repetitions_shift(std::span<const double> base, std::span<const double> head,
                                       double alpha);

/// How much later values exceed earlier ones.
struct HalvesShift {
  double first = 0, second = 0;  ///< Hodges-Lehmann of each half
  double shift = 0;              ///< the median of all differences second - first
  double low = 0, high = 0;      ///< exact Mann-Whitney interval of the shift
};

/// The shift between the halves of a session's values, in the order they were measured; of an odd
/// number the middle one belongs to the second half. The interval misses the shift of independent
/// values of one distribution with probability at most `level`. Nothing where so few values have no
/// such interval. The values must be finite.
/// Hodges & Lehmann, Ann. Math. Statist. 34 (1963), 598-611; Hollander & Wolfe, section 4.3.
std::optional<HalvesShift> halves_shift(std::span<const double> values, double level);

}  // namespace perf
