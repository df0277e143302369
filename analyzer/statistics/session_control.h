#pragma once

#include <optional>
#include <span>
#include <vector>

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

/// The fewest repetitions a side by which one of `rows` benchmarks can be judged: rows 4^-n <= 3/4
/// alpha. See controlled_shift.
int fewest_repetitions(int rows, double alpha);

/// One benchmark in one session: its repetitions, ln each, or where the file has statistics in
/// their place, its centre and how far that may lie off.
struct SessionRepetitions {
  std::vector<double> values;
  double centre = 0, error = 0;  ///< of no values
};

/// The shift of head's session against base's of one benchmark among `rows`: the difference of
/// their medians or two-sample Hodges-Lehmann estimate, with an interval that holds the noise
/// within the sessions and that between them (session_control). What all benchmarks share may be
/// the machine's or the program's doing: the interval holds both readings.
///
/// Within the sessions, the exact Mann-Whitney interval at half of alpha/rows, where there are
/// enough repetitions. With fewer, head's values must lie further from base's than the larger range
/// of either side. Of n independent values a side of any one law that happens with probability
/// 2 4^-n at most: the worst are two modes, each as frequent, because any other split of 2n values
/// into halves further apart than they are wide is rarer (searched for over discrete laws: 0.6 %
/// more at most, for n from 4). Not more than half of the benchmarks can be of that kind, or the
/// others would show it: rows 4^-n together. The rest of alpha is for the noise between sessions.
/// Of statistics the interval is t (3 degrees of freedom) times the error.
///
/// Nothing where the repetitions or the others are too few.
std::optional<Shift> controlled_shift(const SessionRepetitions& base,
                                      const SessionRepetitions& head,
                                      std::span<const double> others, int rows, double alpha);

}  // namespace perf
