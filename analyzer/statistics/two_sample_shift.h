#pragma once

#include <optional>
#include <span>

#include "analyzer/statistics/session_noise.h"
#include "analyzer/statistics/shift.h"

namespace perf {

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

/// The fewest sessions a side, equal on both, that bear an interval of this level; kExactSessions
/// bear any that a report can ask for.
int fewest_sessions(double alpha);

}  // namespace perf
