#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "analyzer/statistics/shift.h"

namespace perf {

/// How far the sessions of a series hang together: a slow week, a warm room. Sessions that follow
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

/// From this many sessions a side the series itself tells the noise between sessions.
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
/// with sessions that hang together about as well (docs/judge.md has the table). Nothing where a
/// side has fewer than kFewestSessions, or so few bear no interval of this level.
std::optional<TwoSampleShift> estimate_two_sample_shift(std::span<const double> base,
                                                        std::span<const double> head, double alpha);

/// The shift of head's sessions against the last `own` of base's alone, of which there may be one,
/// where the others before them tell the noise: the difference of the medians, give or take t s
/// sqrt(a + b). s is the pooled deviation about each side's mean, a and b are what a side adds to
/// the squared error (session_noise; of base for a mean of `own` values), and t is the two-sided
/// quantile of a t distribution with 3 degrees of freedom, scaled to the deviation 1, so that tails
/// may be heavy. Both sides as of estimate_two_sample_shift, which bears an interval of them.
Shift shift_of_last(std::span<const double> base, std::size_t own, std::span<const double> head,
                    double alpha, const SessionNoise& noise);

/// The fewest sessions a side, equal on both, that bear an interval of this level; kExactSessions
/// bear any that a report can ask for.
int fewest_sessions(double alpha);

/// The estimate with that interval as it is, of values that hang together by nothing: the
/// repetitions of two sessions. Nothing where so few bear none of this level.
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
/// values of one distribution with probability at most `level`. Nothing where so few values bear no
/// such interval. The values must be finite.
/// Hodges & Lehmann, Ann. Math. Statist. 34 (1963), 598-611; Hollander & Wolfe, section 4.3.
std::optional<HalvesShift> halves_shift(std::span<const double> values, double level);

}  // namespace perf
