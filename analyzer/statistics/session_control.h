#pragma once

#include <optional>
#include <span>

#include "analyzer/statistics/shift.h"

namespace perf {

/// By how much two sessions differ, estimated from the other benchmarks. A benchmark has
/// a noise between sessions that its own repetitions do not show: where its code and memory came to
/// lie, which state it fell into, what else the machine did. Most benchmarks of a file are not
/// changed, so that their changes show that noise.
struct SessionControl {
  double centre = 0;  ///< what the others changed by, their median: ln(head/base)
  double reach = 0;   ///< how far from it a benchmark may lie that is not changed
};

/// With fewer others nothing bounds their median distance at 95 %: 2^-5 < 0.05.
inline constexpr int kFewestControls = 5;

/// The x that |t| of 3 degrees of freedom exceeds with probability `level`.
double quantile_t3(double level);

/// A benchmark that is not changed lies beyond the reach with probability `level`, if changes are
/// those of a t distribution with 3 degrees of freedom. Its scale is an upper bound of the others'
/// median distance from their median: the order statistic that exceeds it with 95 % (Hollander,
/// Wolfe & Chicken, section 3.6). Of the changes of 101 Go benchmarks between 123 pairs of sessions
/// of one program (golang/perf, cmd/benchseries/testdata), less what their own repetitions explain,
/// 1 in 500 lies beyond 9 to 12 median distances and 1 in 1,000 beyond 12; this t has 13 and 17
/// there.
///
/// Besides, the reach is never less than 1.5 times: there one benchmark of an unchanged program
/// took 25 % more in 2 of 13 sessions, and layout alone has made 41 %. Nothing of fewer than
/// kFewestControls others; at most a thousand.
std::optional<SessionControl> session_control(std::span<const double> others, double level);

/// The shift of head's repetitions of one session against base's of another, ln each: the
/// two-sample Hodges-Lehmann estimate, with an interval that holds the noise within the sessions
/// (exact Mann-Whitney at level/2) and that between them (session_control at level/2). What all
/// benchmarks share may be the machine's or the program's doing: the interval holds both readings.
/// Nothing where the repetitions or the others are too few. Its p_value is not filled in.
std::optional<Shift> controlled_shift(std::span<const double> base, std::span<const double> head,
                                      std::span<const double> others, double level);

}  // namespace perf
