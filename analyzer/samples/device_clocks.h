#pragma once

#include "analyzer/samples/standing.h"

namespace perf {

/// Clocks of the two sides that lie less apart, relative, are the same.
inline constexpr double kSameClock = 0.01;

/// Withdraws the verdict on a time of a series whose sides had different clocks on the device:
/// "regressed", "improved" and "unchanged" stay only where the cycles of the same pairs (time x
/// clock, by the same rule at the same look) give the same verdict. Clocks are compared by the
/// Hodges-Lehmann estimate over these pairs, as the times are; pairs without one do not count, and
/// then there are no cycles. It takes verdicts away and gives none, so that error rates hold.
void doubt_clocks(const WorkloadSamples& samples, MetricStanding& one);

/// What different clocks on the device add to each ln(head/base) of a time, or of a rate: the
/// difference less this is that of the cycles. 0 where the clocks are the same or not known.
double clock_effect(const WorkloadSamples& samples, const MetricStanding& one);

}  // namespace perf
