#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reporter/trend/series.h"
#include "schema/trend.h"

namespace perf::reporter {

/// One thing that a trend report has to say of one series: a step, a slope or a drift.
struct Finding {
  AlertKind kind = AlertKind::step;
  const TrendSeries* series = nullptr;
  const ChangePoint* step = nullptr;  ///< of the three exactly one: that of `kind`
  const Slope* slope = nullptr;
  const Drift* drift = nullptr;
  AlertState state = AlertState::none;
  bool worse = false;
  double change = 0;  ///< relative
  std::optional<Interval> interval{};
  double evidence = 0;                   ///< the change in its standard errors
  std::optional<double> false_alarms{};  ///< so many per 1,000 points are as clear
  std::string alert_id{};                ///< empty where it is no alert
  std::string first_seen{};              ///< UTC, ISO 8601; when it was an alert first; empty: now
  std::string confirm{};                 ///< the command that would tell; may be empty
  std::string confirmed_by{};            ///< which comparison bore an alert out; empty: none did
  std::optional<AlertEvent> decision{};  ///< that people made about it last
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

/// Whether nothing has told yet what a suspect is: one that a comparison refuted is none any more.
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

}  // namespace perf::reporter
