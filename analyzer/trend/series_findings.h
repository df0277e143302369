#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analyzer/trend/trend_series.h"
#include "schema/policy.h"
#include "schema/recorded_history.h"
#include "schema/revision.h"
#include "schema/trend.h"

namespace perf {

/// What a series is searched against.
struct SearchedLine {
  const RecordedHistory& recorded;
  const std::vector<Revision>& line;
  const std::vector<std::uint32_t>& positions;  ///< of what series call commits on the line
  const Policy& policy;
  std::string options;  ///< of the commands to confirm: size and place
};

/// The oid of a measured commit.
const std::string& oid_of(const SearchedLine& line, std::uint32_t commit);

/// How many commits of the line lie after a measured one, up to a later one.
int commits_between(const SearchedLine& line, std::uint32_t previous, std::uint32_t commit);

/// Finds what there is in a series: its noise, change points, suspects and slope. On the linear
/// scale (scale_of) a step's change is its difference in units of |the level before|; steps from a
/// level of 0 have none: they are counted and left out.
void search(MeasuredSeries& measured, const SearchedLine& line);

/// Where a series stands against the pinned baselines, by name; none for a baseline that is not on
/// the line, has no measured commit after it, or was measured neither itself nor within a stretch
/// without a change point.
///
/// The present level is the median of the last 10 points at most of the last segment; the
/// baseline's that of the 10 at most of its segment that are nearest to it. Their difference errs
/// by 1.2533 level_noise sqrt(1/n + 1/m) in logarithms: the standard error of two medians. The
/// interval is 99 %. `beyond`: the estimate is beyond the policy's threshold, and the interval
/// beyond significance_share of it.
/// Where a value is not positive there is no ratio, and no drift.
std::vector<Drift> drifts_of(const TrendSeries& series, const std::vector<Baseline>& baselines,
                             const SearchedLine& line);

/// Whether a step of the series, itself an alert and beyond the threshold, lies between the
/// baseline and now: then the drift is no second alert.
bool is_explained_by_step(const Drift& drift, const TrendSeries& series);

/// Fewer (entry and parameters) that move together may be one program's.
inline constexpr std::size_t kFewestWorkloads = 3;

/// Where a tenth of the series of one machine, of three workloads (entry and parameters) at least,
/// move in one direction at the same time: within 3 of its measured commits, or within a week by
/// committer time that holds no more than 7 of them. Each such change point gets the event's index.
/// Series of metrics that are not judged are not counted, but follow.
///
/// Anchored series are of no machine. Where those of the same workloads step there as well, it is
/// the commit, and no event. Wants the series searched; oldest first.
std::vector<MachineEvent> find_machine_events(MeasuredLine& measured, const SearchedLine& line);

/// Marks the slopes for the worse that are the machine's, and no alerts: where of the series of one
/// metric that one machine measures and are judged 5 at least, of 3 workloads, and 80 % have one
/// that is within a factor of 2 of their median. Where half of those that are paired with a
/// baseline slope as well, it is the program. Wants the series searched.
std::vector<Warning> find_machine_slopes(std::vector<MeasuredSeries>& series,
                                         const SearchedLine& line);

using Facts = std::map<std::string, std::string>;

/// Which facts are not what they were, as "blas_core: Haswell -> SkylakeX", sorted. A side's fact
/// is what more than half of it says; what changes from run to run, such as the load, has no such
/// value and is not told.
std::vector<std::string> changed_facts(const std::vector<const Facts*>& before,
                                       const std::vector<const Facts*>& after);

}  // namespace perf
