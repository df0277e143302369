#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reporter/document.h"
#include "schema/trend.h"

namespace perf::reporter {

inline constexpr std::size_t kShortFingerprint = 8;  ///< of a machine, for people

/// What the series of a report are called: as short as possible, but distinct. The workload's
/// parameters, the machine and the benchmark are only said where several series would else share a
/// name.
class SeriesNames {
 public:
  explicit SeriesNames(const TrendReport& report);

  /// "`parser`", "`parser` (size=4, machine 1f2e3d4c)", "`parser` (against release)".
  Prose workload(const TrendSeries& series) const;
  /// The same with the metric: "`parser` `step_time`".
  Prose series(const TrendSeries& series) const;

 private:
  struct Seen {
    Params common;  ///< what all of them have, and have alike
    std::set<std::string> fingerprints, benchmarks;
  };
  std::map<std::pair<std::string, std::string>, Seen> seen_;  ///< by workload and metric
};

/// What an anchored series is paired with: the baseline's name, else its short oid.
std::string anchor_text(const TrendSeries& series);

/// The unit of a series' values: the metric's, or, of a ratio to an anchor, none.
std::string unit_of(const TrendSeries& series);

/// About 40 points as block characters: the last ones, or, where a step lies further back, those
/// around it. Cut to the levels of before and after +- 4 of the noise, so that the step is seen and
/// no outlier hides it.
std::string history_line(const TrendSeries& series, const ChangePoint* around = nullptr);

/// Median of the last points, at most 10; of those after the last change point. nullopt: no points.
std::optional<double> present_level(const TrendSeries& series);

/// "1.2 %": the smallest step that would have been seen within 10 points; "-": too few points.
std::string visible_text(const TrendSeries& series);

/// Of the points [begin, end) that are numbers; nullopt: there are none.
std::optional<double> median_of(const TrendSeries& series, std::size_t begin, std::size_t end);

/// One thing that a trend report shows of one series: a step, a slope or a drift.
struct Finding : TrendFinding {
  AlertKind kind = AlertKind::step;
  const TrendSeries* series = nullptr;
  const ChangePoint* step = nullptr;  ///< of the three exactly one: that of `kind`
  const Slope* slope = nullptr;
  const Drift* drift = nullptr;
};

/// Of a change point or of a suspect.
Finding step_finding(const TrendSeries& series, const ChangePoint& step);

/// Every change point, slope and drift of a series, in order of history, and of a report, by
/// series. They point into it: it must outlive them.
std::vector<Finding> findings_of(const TrendSeries& series);
std::vector<Finding> findings_of(const TrendReport& report);

/// Those that are wanted, in their order.
std::vector<Finding> chosen(const std::vector<Finding>& findings,
                            const std::function<bool(const Finding&)>& is_wanted);

/// Those in a state, the clearest first; of equal evidence the largest change.
std::vector<Finding> in_state(const std::vector<Finding>& findings, AlertState state);

/// The steps of a machine event, worsenings first, the largest change first.
std::vector<Finding> members_of(const std::vector<Finding>& findings, std::size_t event);

/// ln(1 + change) without its sign: how far a change goes, whichever way.
double extent(double change);

/// Whether a suspect is undecided: not refuted by a comparison.
bool is_open_suspect(const ChangePoint& suspect);

/// How often each thing happened in a report.
struct TrendCounts {
  std::size_t fresh = 0, known = 0, refuted = 0;  ///< alerts that stand, or were refuted
  std::size_t reopened = 0, ignored = 0;          ///< by what people decided
  std::size_t recovered = 0, withdrawn = 0;       ///< alerts that are over
  std::size_t confirmed = 0;                      ///< of fresh, known and reopened
  std::size_t suspects = 0;
  std::size_t improved = 0;  ///< steps to the better, outside machine events
  std::size_t moved = 0;     ///< series with anything to say: alerts, improvements, events
  std::size_t points = 0;    ///< in all series
};

TrendCounts counts_of(const TrendReport& report);

/// A trend report with what there is to say of it. Refers to the report, which must outlive it.
struct TrendDigest {
  explicit TrendDigest(const TrendReport& of)
      : report(of), findings(findings_of(of)), counts(counts_of(of)), names(of) {}

  const TrendReport& report;
  std::vector<Finding> findings;
  TrendCounts counts;
  SeriesNames names;
};

/// Where a step happened: "at 3f2a9c01d2e4 Use a map (Ada, 2026-01-31)", or "in one of 4 commits
/// after 1a2b3c4d5e6f, up to 3f2a9c01d2e4 Use a map (Ada, 2026-01-31)".
Prose place_phrase(const TrendReport& report, const ChangePoint& step);

/// Of noise: "fell from 6 % to 1 % at 3f2a9c01d2e4 Use a map (Ada, 2026-01-31)".
Prose noise_change_phrase(const TrendReport& report, const NoiseChange& change);

/// Where a finding of any kind happened: a step's place, "a slope of +0.02 % a point over the last
/// 120 points, 2025-10-01 to 2026-01-31", "away from the baseline release at 1a2b3c4d5e6f".
Prose place_phrase(const TrendReport& report, const Finding& finding);

/// "`parser` `step_time` +12.4 % [+10.9, +13.8]".
Prose change_phrase(const Finding& finding, const SeriesNames& names);

/// "412 ms -> 471 ms" of a step; empty for what has no levels.
std::string levels_text(const Finding& finding);

/// "0.02": how many false alarms per 1,000 points are as clear; "0.008 or fewer" where that is all
/// that was ever measured; empty for what has no such rate.
std::string chance_text(const std::optional<double>& false_alarms);

/// The cells workload, metric, levels and change of its row.
std::vector<Prose> finding_cells(const TrendDigest& trend, const Finding& finding);

/// What kind of finding it is, then its change and its place.
Prose finding_line(const TrendDigest& trend, const Finding& finding, Prose kind);

/// "; to verify: perf-compare A B -w parser", where a command can verify it.
void add_confirm_command(Prose& line, const Finding& finding);

/// Who decided, when and why: "by Ada on 2026-01-31: a price paid on purpose".
Prose decider_phrase(const AlertEvent& decision);

/// The same after what was decided: "ignored by Ada on ...".
Prose decision_phrase(const AlertEvent& decision);

/// The day of a moment in ISO 8601: "2026-01-31"; of none, none.
std::string day_of(const std::string& moment);

/// The day of the commit at an index; empty where there is none of that index.
std::string day_of(const TrendReport& report, std::uint32_t index);

/// A commit of the report by its index; nullptr where there is none of that index.
const Revision* commit_at(const TrendReport& report, std::uint32_t index);

/// New alerts, the clearest first: a row each, below it the commit or the range, the points around
/// it, its rate of false alarms, the noise on both sides, what else changed there and the command
/// that verifies it. What is beyond the first dozen is counted, and in the folded table of all
/// findings.
Section new_alert_section(const TrendDigest& trend);

/// The remarks of an alert: where it happened, its rate of false alarms, what else changed there,
/// which comparison confirmed it, or the command that verifies it.
std::vector<Prose> alert_remarks(const TrendReport& report, const Finding& finding);

/// How many new alerts are shown one by one.
constexpr std::size_t kShownAlerts = 12;

/// Alerts that were shown before: those that stand, a line each with the day they were first
/// shown and what was decided, then those that are over, were refuted, or are ignored; and the
/// command that decides.
Section known_alert_section(const TrendDigest& trend);

/// What is no alert, newest first and a few of each kind: improvements, suspects with the command
/// that would decide, slopes, steps for the worse that are too small or of metrics that are not
/// judged, and where the series stand against each baseline.
/// `in_full` is where the reader finds the rest of them.
std::vector<Prose> lesser_finding_lines(const TrendDigest& trend, const std::string& in_full);

/// Where many series of a machine moved together, new ones first, then newest first: when, how
/// many, how far, which, what of the machine changed there, and the command that distinguishes
/// machine and commit.
std::vector<Prose> machine_event_lines(const TrendDigest& trend);

/// "3 of 4 series of machine 1f2e3d4c moved together, median +30 %, at 3f2a9c01d2e4 Use a map".
Prose machine_event_phrase(const TrendReport& report, const MachineEvent& event);

/// The most important finding in a sentence, and what to do where there are too few points: "2 new
/// alerts: `parser` is slower, step_time +12.4 % [+10.9, +13.8] at 3f2a9c01d2e4 Use a map; 1 known,
/// 1 recovered; 198 of 200 series did not move since 2026-01-01". A machine event that is new is
/// the news where there is no new alert.
std::vector<Prose> trend_headline(const TrendDigest& trend);

/// bad: new or reopened alerts; unsettled: known ones, machine events, suspects, or nothing to tell
/// from.
Mood trend_mood(const TrendDigest& trend);

}  // namespace perf::reporter
