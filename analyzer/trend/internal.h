#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/trend_series.h"
#include "schema/policy.h"
#include "schema/recorded_history.h"
#include "schema/revision.h"
#include "schema/trend.h"

namespace perf {

// Steps of trend(), for it and its tests alone.

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

/// Two measured commits that a finding of a series lies between.
struct Suspected {
  const SearchedLine& line;
  const TrendSeries& series;
  std::uint32_t previous = 0, commit = 0;  ///< base and head
  double change = 0;                       ///< relative, as found
};

/// The command that compares the two commits on the series' workload; empty where the config does
/// not have it, as it has none that was imported.
std::string compare_command(const Suspected& what);

/// The command that finds the commit: a comparison where there is but one, else a
/// bisection of the series. Empty as above.
std::string blame_command(const Suspected& what);

/// Finds what there is in a series: its noise, change points, suspects and slope. On the linear
/// scale (scale_of) a step's change is its difference in units of |the level before|, from a level
/// of 0 it is kFromZero.
void search(MeasuredSeries& measured, const SearchedLine& line);

/// Adds steps found in the values of a series, with what surrounds them.
void add_steps(const std::vector<FoundStep>& found, Scale scale, const SearchedLine& line,
               const MeasuredSeries& measured, std::vector<ChangePoint>& steps);

/// Finds the lasting changes of the tails of a searched series (TrendSeries::tails), each with the
/// command that compares them. A tail is kTailMetric of a process over its median, so noise between
/// processes is not in it; the steps of its medians by commit are those of a series of its own,
/// with z of 4 and of 1 % at least. None where a quantile of the workload is judged, which has such
/// a series.
void find_tails(MeasuredSeries& measured, const SearchedLine& line);

/// Drops the tails that a moved median explains, once all steps are there: it moved half as far,
/// beyond 2 of its errors, or has a step or a suspect within 8 points.
void drop_tails_of_medians(MeasuredSeries& measured);

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

/// What moves within so many measured commits of the machine moves together.
inline constexpr std::size_t kNearEvent = 3;

/// Place of a commit among those measured on a machine.
std::size_t rank_of(const std::vector<MachineCommit>& commits, std::uint32_t commit);

/// Facts of the machine, outside its fingerprint, that changed about an event.
std::vector<std::string> machine_facts(const std::vector<MachineCommit>& commits,
                                       const MachineEvent& event, const SearchedLine& line);

/// Sizes and counts that a benchmark has judged do not depend on the machine; times and rates do.
bool may_be_the_machines(const TrendSeries& series);

/// Where a tenth of the series of one machine, of three workloads (entry and parameters) at least,
/// move in one direction at the same time: within 3 of its measured commits, or within a week by
/// committer time that holds no more than 7 of them. Each such change point gets the event's index,
/// and so does every other step, either way, and suspect of the machine as near to all of it.
/// Series of metrics that are not judged are not counted, but follow.
///
/// Anchored series are of no machine. Where those of the same workloads step there as well, it is
/// the commit, and no event. Needs the series searched; oldest first.
std::vector<MachineEvent> find_machine_events(MeasuredLine& measured, const SearchedLine& line);

/// Marks the slopes for the worse that are the machine's, and no alerts: where of the series of one
/// metric that one machine measures and are judged 5 at least, of 3 workloads, and 80 % have one
/// that is within a factor of 2 of their median. Where half of those that are paired with a
/// baseline slope as well, it is the program. Needs the series searched.
std::vector<Warning> find_machine_slopes(std::vector<MeasuredSeries>& series,
                                         const SearchedLine& line);

using Facts = std::map<std::string, std::string>;

/// Which facts are not what they were, as "blas_core: Haswell -> SkylakeX", sorted. A side's fact
/// is what more than half of it says; what changes from run to run, such as the load, has no such
/// value and is left out.
std::vector<std::string> changed_facts(const std::vector<const Facts*>& before,
                                       const std::vector<const Facts*>& after);

/// Places in the order of time, in [begin, end): something changed from those up to `before` to
/// those from `after` on.
struct PlacesAbout {
  std::size_t begin = 0, before = 0, after = 0, end = 0;
};
using FactsAt = const Facts*(std::size_t place);  ///< nullptr: not known
/// The same of the kLevelPoints places at most on either side of a change.
std::vector<std::string> facts_changed_between(const PlacesAbout& change,
                                               const std::function<FactsAt>& facts_at);

/// Of the machine, outside its fingerprint; nullptr: not known.
const Facts* facts_of_run(const RecordedHistory& recorded, std::uint32_t run);

/// A host whose values differ from those of the others of its kind.
struct OddHost {
  std::string host;
  double change = 0;  ///< of its level against theirs, relative
};

/// Which host measured a value; empty where that is not known.
const std::string& host_of(const std::vector<RecordedRun>& runs, const RecordedValue& value);

/// The hosts of a series that differ from the others under its fingerprint by more than their
/// noise. Compared are neighbours in the order of measuring, so that steps of the program, which
/// both sides of a neighbourhood share but for the one at the step, hardly count. With d the
/// differences of ln between a host's points and the mean of those beside them that others
/// measured, what these others differ by taken off, and at least 12 of them: the host is odd where
/// |median d| is 1 % and more, and beyond 7 of its standard errors, 1.2533 s / sqrt(n) with s =
/// 1.4826 MAD(d). What most points agree on is not odd.
std::vector<OddHost> odd_hosts(const RecordedSeries& series, const std::vector<RecordedRun>& runs);

/// What will be asked of points once all series were searched.
struct NeededPoints {
  const std::vector<Revision>& line;
  const CommitIndex& commits;               ///< of the line
  const std::vector<const Alert*>& alerts;  ///< of the series
  std::uint32_t since = 0;                  ///< a position on the line that a report begins at
};

/// Leaves out all points of a series but the first, the last, and those about its findings, about
/// the commits of its alerts and where the report begins: what states and reports that draw
/// no series ask for. Needs it searched; commits are positions on the line.
void keep_needed_points(MeasuredSeries& measured, const NeededPoints& asked);

/// Calls work(i) once for every i < count, on as many threads as the machine has processors. The
/// calls must not depend on each other; when it returns all are done. Throws what the call of the
/// smallest i that threw did.
void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work);

/// What the workloads were seen to run along a line of commits.
class ProgramHistory {
 public:
  /// `line`: position of each commit, by oid.
  ProgramHistory(const std::vector<ProgramAt>& programs, const CommitIndex& line);

  /// Ids by position on the line, empty where not known; of an anchored series only where all of
  /// them are of one machine. Nothing where none is known at all.
  std::vector<std::string> of(const TrendSeries& series) const;

  /// What MeasuredSeries::programs are.
  std::vector<ProgramChange> at_last_points(const TrendSeries& series) const;

 private:
  using Key = std::tuple<std::string, Params, std::string, std::string>;  // ..., fingerprint
  using Ids = std::map<std::size_t, std::string>;                         // by position

  const Ids* ids_of(const TrendSeries& series) const;

  std::map<Key, Ids> ids_{};
  std::size_t commits_;
};

/// Whether the program of a series changed at a point after one commit, up to another; nullopt: not
/// known. Commits are those of its points.
std::optional<bool> program_changed(const MeasuredSeries& measured, std::uint32_t previous,
                                    std::uint32_t last);

/// Which of the points [begin, end) may be the first after a step at `step`, as far as the points
/// tell: the interval about it that holds `share` of the probability, every place as likely as the
/// others beforehand, both levels (medians) known. A point's distance counts up to 3 deviations, so
/// that no outlier places a step; `noise`: of a point; `spread`: how many times the noise of means
/// exceeds what points that are independent would have.
struct StepInterval {
  std::size_t first = 0, last = 0;
  std::size_t from = 0;           ///< the first place of all
  std::vector<double> weights{};  ///< from there on, in proportion to the probabilities
};
StepInterval step_interval(const std::vector<double>& y, std::size_t begin, std::size_t step,
                           std::size_t end, double noise, double spread, double share);

/// Says where the steps of a series are to be moved to, because the program changes there, and of
/// those that no program explains what changed outside: docs/trend.md has the rule.
void find_borders(MeasuredSeries& measured, const ProgramHistory& programs,
                  const SearchedLine& line);

/// Moves them, machine events aside, where they stay in order. Needs them found.
void move_to_borders(MeasuredSeries& measured);

}  // namespace perf
