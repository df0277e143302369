#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/trend/trend_series.h"
#include "schema/alert.h"
#include "schema/trend.h"

namespace perf {

/// Gives every finding its state with respect to earlier alerts, and lists the alerts that are
/// over; the rule is section "Alerts" of docs/trend.md. Needs change points, suspects, slopes,
/// drifts and machine events found. Alerts of series that are not in the report are left alone, and
/// so are those about commits that are not.
void give_states(TrendReport& report, const std::vector<Alert>& alerts);

/// Whether a step is a lasting worsening that a machine event shows for the first time.
bool is_new_member(const TrendReport& report, const TrendSeries& series, const ChangePoint& step);

/// A part of give_states, once those of single series are given. One regression is one new alert:
/// where a series paired with a baseline and the machine's own series of that workload and metric
/// step within 3 measured commits of each other in one direction, the paired one is the alert,
/// because it does not depend on the machine; the other is none, and its facts give the reason.
/// Known alerts stay, and a paired step beside them is no alert.
void fold_paired_alerts(TrendReport& report);

/// The history of an alert so far.
struct AlertLife {
  std::string first_seen;                     ///< UTC, ISO 8601; empty: never shown as an alert
  std::string confirmed_by;                   ///< run id, where the last comparison confirmed it
  std::string refuted_by;                     ///< run id, where the last comparison refuted it
  bool recovered = false, withdrawn = false;  ///< reported before

  bool refuted() const { return !refuted_by.empty(); }
  bool shown() const { return !first_seen.empty(); }
  bool open() const { return shown() && !recovered && !withdrawn && !refuted(); }
};
AlertLife life_of(const Alert& alert);

/// The level is back when less than this share of the change is left.
inline constexpr double kBackShare = 0.5;
/// Fewer points would not show what has become of a step.
inline constexpr std::size_t kFewestPoints = 3;

/// Place of the first of the last points, all of commits made after a moment. What the points call
/// commits are indices into `commits`.
std::size_t first_point_after(const std::string& moment, const std::vector<Revision>& commits,
                              const TrendPoints& points);

/// The state of a finding that is an alert: ignored or known as people decided, else `otherwise`.
AlertState state_decided(const std::optional<AlertEvent>& decision, AlertState otherwise);

/// Where the level is that an alert is about.
struct AlertLevel {
  double before = 0;               ///< the level that it left
  std::size_t begin = 0, end = 0;  ///< points [begin, end) of the one it went to
};

/// The same of an alert that was shown before, and that is found tonight as well: reopened where
/// three points or more, of commits made since the decision, contradict it. What was marked as
/// fixed is not back at the level of before; or what was accepted has grown by as much again.
AlertState state_shown_before(const TrendReport& report, const TrendSeries& series,
                              const Alert& alert, const AlertLevel& level);

/// An id from the contents of the alert, so that two stores that were copies of one give the same
/// alert the same: 32 hexadecimal digits. `copy` separates alerts with equal contents.
std::string alert_id(const SeriesKey& series, AlertKind kind, const std::string& oid,
                     const std::string& baseline, int copy = 0);

/// What must be remembered once a report is written: alerts shown for the first time, and news of
/// those (after `seen`) and of earlier ones, by id.
struct AlertRecord {
  std::vector<Alert> fresh;
  std::vector<std::pair<std::string, AlertEvent>> news;
};

/// Members of a machine event are remembered too, without events, so that it is new only once; and
/// suspects that a comparison refuted, so that they are not asked about every night. `at` is UTC,
/// ISO 8601.
AlertRecord to_remember(const TrendReport& report, const std::string& at);

/// Within so many points the detector's step is the one that was shown.
inline constexpr std::size_t kWobble = 5;

/// A step found tonight that an alert was about.
struct StepMatch {
  const Alert* alert = nullptr;
  std::size_t step = 0;  ///< index into the change points, or the suspects
  bool is_suspect = false;
};

/// Pairs alerts of the series about steps with the steps it has: of the same direction, within 5
/// points of each other or in ranges of commits that overlap; or, of an open alert, within 25
/// points and 1.2 to 3.5 times as large: a drift seen as a step wanders. Nearest first, none twice.
/// An alert that was withdrawn or has recovered is not matched by a suspect.
std::vector<StepMatch> match_steps(const TrendSeries& series,
                                   const std::vector<const Alert*>& alerts,
                                   const CommitIndex& commits);

/// Where in the series a commit is; its number of points where it is not.
std::size_t point_of(const TrendSeries& series, const std::string& oid, const CommitIndex& commits);

}  // namespace perf
