#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/alert.h"
#include "schema/environment.h"
#include "schema/metric.h"
#include "schema/policy.h"
#include "schema/report.h"
#include "schema/revision.h"
#include "schema/text/words.h"
#include "schema/trend_points.h"
#include "schema/warning.h"

namespace perf {

/// The state of a finding with respect to earlier reports.
enum class AlertState {
  none,       ///< no alert: an improvement, below --threshold, part of a machine event or of a
              ///< slope, paired with an alert, where the machine of an anchored series changed, of
              ///< a metric that is not judged, or over before it was ever shown
  fresh,      ///< "new": never shown
  known,      ///< shown before
  refuted,    ///< an A/B run found no regression: no alert any more
  recovered,  ///< the level is back; said once
  withdrawn,  ///< no longer found; said once
  reopened,   ///< later points contradict the decision
  ignored,    ///< accepted
};

/// The word for it in JSON.
template <>
inline constexpr std::array<std::string_view, 8> kWords<AlertState>{
    "none", "new", "known", "refuted", "recovered", "withdrawn", "reopened", "ignored"};

/// Whether a finding with this state is an alert.
constexpr bool is_open(AlertState state) {
  return state == AlertState::fresh || state == AlertState::known || state == AlertState::reopened;
}

/// The same with ignored ones, which still explain later findings.
constexpr bool stands(AlertState state) {
  return is_open(state) || state == AlertState::ignored;
}

/// The change of a step from a level of 0, or its negative: there is no relative one.
inline constexpr double kFromZero = 1e300;

/// What steps, slopes and drifts have in common.
struct TrendFinding {
  std::uint32_t previous = 0;  ///< last commit before the change; drift: the baseline's, or the one
                               ///< nearest to it that was measured; slope: of its first point
  std::uint32_t commit = 0;  ///< first commit after the change; slope and drift: of the last point
  double change = 0;         ///< relative: positive = the value grew
  std::optional<Interval> interval{};  ///< of the change: 95 %, of a drift 99 %
  double evidence = 0;                 ///< the change in its standard errors
  bool worse = false;                  ///< by the metric's direction
  AlertState state = AlertState::none;
  std::string alert_id{};                ///< of the alert, if it is one, was one, or may become one
  std::string first_seen{};              ///< UTC, ISO 8601; when it was an alert first; empty: now
  std::string confirm{};                 ///< command of the comparison that decides; may be empty
  std::string confirmed_by{};            ///< id of the run that confirmed it; may be empty
  std::string refuted_by{};              ///< id of the run that found no regression; may be empty
  std::optional<double> false_alarms{};  ///< false alarms per 1,000 points that are as clear
                                         ///< (kLeastFalseAlarms: that or fewer); absent of suspects
  std::optional<AlertEvent> decision{};  ///< the last one by people
};

/// A step in a series.
struct ChangePoint : TrendFinding {
  std::size_t index = 0;         ///< into the series' points: the first after the change
  int commits = 1;               ///< of the line after `previous` up to `commit`: possible causes
  double before = 0, after = 0;  ///< levels: medians, base unit
  double noise_before = 0, noise_after = 0;    ///< robust standard deviation of a point, relative
  std::optional<std::size_t> machine_event{};  ///< index into TrendReport::machine_events
  bool remembered = false;           ///< the store has that alert, or had it as part of an event
  bool machine_switch = false;       ///< anchored: measured on another machine from about there on
  std::vector<std::string> facts{};  ///< facts of the workload that changed there, and why it is no
                                     ///< alert, where no other entry gives the reason
  std::optional<int> border{};       ///< points from where the step was found to where the program
                                     ///< changes; absent: not known
  bool same_program = false;  ///< none of these commits changed the program: the cause is outside
  std::vector<std::string>
      changed_outside{};  ///< same_program: facts of the machine that changed there
};

/// A lasting slope at the end of a series; its change is over all of it.
struct Slope : TrendFinding {
  std::size_t begin = 0, end = 0;  ///< points [begin, end) of those shown
  std::size_t points = 0;          ///< of all of it, where begin was cut as well
  double per_commit = 0;           ///< relative, a point
  bool of_machine = false;  ///< most of its machine's series drift alike: no commit is blamed
};

/// The present level against that of a pinned baseline.
struct Drift : TrendFinding {
  std::string baseline;  ///< the pin's name
  double threshold = 0;  ///< the policy's
  bool beyond = false;   ///< it is beyond the threshold, and certainly no chance
};

/// Whether nobody has decided about a finding that is an alert, or points since contradict who did.
constexpr bool is_undecided(const TrendFinding& finding) {
  return is_open(finding.state) && (finding.state == AlertState::reopened || !finding.decision);
}

/// Pairs differ although the traced programs are the same: an alarm about the trace, because the
/// machine is no cause that pairs have.
inline bool contradicts_trace(const SeriesKey& series, const ChangePoint& step) {
  return step.same_program && !step.machine_switch &&
         (!series.anchor.empty() || !step.confirmed_by.empty());
}

/// An alert shown before of which tonight's findings say that it is over.
struct ClosedAlert {
  Alert alert;
  AlertState state = AlertState::recovered;  ///< or withdrawn
};

/// A lasting change of a series' noise: no alert.
struct NoiseChange {
  std::size_t index = 0;         ///< into the series' points: the first of the new noise
  std::uint32_t previous = 0;    ///< commit of the point before
  std::uint32_t commit = 0;      ///< of that point
  double before = 0, after = 0;  ///< robust standard deviation of a point, relative
};

/// One metric of one workload along history, in one environment or against one anchor.
struct TrendSeries {
  SeriesKey key;
  Metric metric;
  std::string anchor_name{};  ///< anchored: the baseline's name, where a pin bears it
  TrendPoints points{};
  bool are_ratios = true;                  ///< changes are told as ratios (suited_scale)
  bool judge = false;                      ///< the benchmark requests a verdict on the metric
  double noise = 0;                        ///< robust standard deviation of a point, relative
  std::vector<ChangePoint> change_points;  ///< oldest first
  std::vector<ChangePoint> suspects;       ///< not certain enough for an alert
  std::optional<Slope> trend{};
  bool live = true;             ///< measured among the last 10 measured commits of the line
  std::vector<Drift> drifts{};  ///< live: one a baseline that was measured here
  std::vector<ClosedAlert> closed{};
  std::string entry{};          ///< the config's name of the workload, as -w takes it
  bool can_be_compared = true;  ///< the config has it still
  /// The smallest step that would have been seen within kSeenWithin points; absent: too few points.
  std::optional<double> visible_step{};
  std::vector<NoiseChange> noise_changes{};  ///< oldest first
  /// Of step_time: lasting changes of what kTailMetric of a process is over its median, where the
  /// median did not move; oldest first. Suspects of their own kind, never alerts.
  std::vector<ChangePoint> tails{};
};

/// Many series of one machine that moved together: not blamed on a commit, but for one that changed
/// their programs.
struct MachineEvent {
  std::string fingerprint;
  std::uint32_t first = 0, last = 0;  ///< commits between which they moved
  std::uint32_t previous = 0;         ///< last commit that was measured before all of it
  std::size_t moved = 0, series = 0;  ///< so many of so many
  double change = 0;                  ///< median of the relative changes
  std::vector<std::string>
      facts{};          ///< of the machine, outside its fingerprint, that changed there
  bool known = false;   ///< every worsening in it that lasts was shown before
  std::string confirm;  ///< the command that tells machine from commit
  /// Of a step that most series share, and that is found in what they share: in standard errors. 0:
  /// of series that step each by itself.
  double evidence = 0;
  std::optional<double> false_alarms{};    ///< per 1,000 points, of such a step; as of TrendFinding
  std::optional<bool> programs_changed{};  ///< of such a step: of most of them; absent: not known
};

/// What the detector makes of this very noise where nothing changes: replays of the history with
/// its steps taken out.
struct FalseAlarmRate {
  double per_1000_points = 0;  ///< steps, either way, in one search of all
  std::uint64_t points = 0;    ///< replayed
  std::uint64_t alarms = 0;
  std::uint64_t series = 0;   ///< replayed
  std::uint64_t alarmed = 0;  ///< of them with any alarm
  double expected = 0;        ///< false alarms in a report as long as this one
  /// New alerts (steps for the worse) where each point is a night, and every night is looked at.
  double per_1000_points_nightly = 0;
  std::uint64_t nightly_points = 0;  ///< nights replayed, of all series
  std::uint64_t nightly_alarms = 0;
};

/// So many points are shown where one line has to do, the last ones or those about a step: so many
/// of them before it.
inline constexpr std::size_t kShownPoints = 40, kShownBefore = 10;

/// A step that lasts for so many points is one that a calm report says it would have shown.
inline constexpr std::size_t kSeenWithin = 10;

/// Per 1,000 points: rarer false alarms than this were never measured.
inline constexpr double kLeastFalseAlarms = 0.008;

/// What `trend` hands to the reporter.
struct TrendReport {
  std::string id;
  std::string generated_at;  ///< UTC, ISO 8601
  std::string tool_version;
  Revision head;                         ///< where the line ends
  std::vector<Revision> commits;         ///< of the line that were measured, oldest first
  std::vector<std::uint32_t> positions;  ///< of `commits` on the line, 0 = its oldest commit
  std::size_t line = 0;                  ///< commits on the line, measured or not
  std::size_t measured = 0;              ///< commits of the line that were measured, shown or not
  std::size_t longest = 0;               ///< points of the longest series, shown or not
  std::string size;
  bool tells_points = true;  ///< in JSON: of a hub they are told where that was asked for
  bool filtered = false;     ///< only some workloads or metrics were asked for
  Policy policy;
  std::optional<double> alert_threshold{};  ///< --threshold: smaller steps are no alerts
  std::vector<Environment> environments;    ///< of the series
  std::vector<Baseline> baselines;
  std::vector<TrendSeries> series;           ///< sorted by workload, params, metric, environment
  std::vector<MachineEvent> machine_events;  ///< oldest first
  FalseAlarmRate false_alarms;
  /// A series must have before a step of the policy's threshold in it could be found; 0: not known.
  std::size_t points_wanted = 0;
  /// The smallest step that would have been seen within kSeenWithin points in half of the series
  /// that are measured and judged, and in all of them; absent: they are too short.
  std::optional<double> visible_in_half{}, visible_in_all{};
  /// While most of them are too short: the smallest step that can be found now, and in 7 nights.
  std::optional<double> findable_now{}, findable_in_week{};
  std::vector<Report> confirmations{};  ///< comparisons that --confirm ran
  std::vector<Warning> warnings;
  std::vector<std::string> reproduce;
};

}  // namespace perf
