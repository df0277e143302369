#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "reporter/text/quantity.h"
#include "reporter/trend/findings.h"
#include "schema/trend.h"

namespace perf::reporter {

/// A value at a place on the line of commits.
struct HistoryPoint {
  double position = 0;  ///< as in TrendReport::positions
  double value = 0;     ///< base unit, finite
};

/// What holds between two change points.
struct HistoryLevel {
  double from = 0, to = 0;  ///< positions of the first and the last point of it
  double value = 0;         ///< median of its points
  double noise = 0;         ///< robust standard deviation of a point, relative
};

enum class MarkKind { worse, better, event, refuted, suspect };  ///< event: of a machine

/// A change point, or a suspect.
struct HistoryMark {
  HistoryPoint at;  ///< the first point after it, at the level after it
  MarkKind kind = MarkKind::worse;
  bool fresh = false;  ///< an alert that was never shown
  std::string change;  ///< "+12.4 %"
  std::string text;    ///< all that a tooltip should say; not escaped
};

/// A pinned baseline, or where another machine takes over or noise or tail change.
struct HistorySign {
  double position = 0;
  std::string name;  ///< short enough to be drawn; not escaped
  std::string text;  ///< for a tooltip; not escaped
};

/// A machine event.
struct HistorySpan {
  double from = 0, to = 0;
  std::string text;  ///< for a tooltip; not escaped
};

/// What is drawn of one series, in any output and size. Everything is sorted by position.
struct SeriesHistory {
  std::string label;           ///< "parser step_time": what the picture is of; not escaped
  std::string unit;            ///< base unit
  Scale scale;                 ///< values as people read them
  double first = 0, last = 1;  /// positions at the ends of the line, the same for every series
  double noise = 0;            ///< of the series
  std::vector<HistoryPoint> points;
  std::vector<HistoryPoint> beside;  ///< of the same quantity on other machines
  std::vector<HistoryLevel> levels;
  std::vector<HistoryPoint> slope;  ///< a line through it, where there is one
  std::vector<HistoryMark> marks;
  std::vector<HistorySign> pins, breaks;
  std::vector<HistorySpan> events;
  std::vector<HistorySign> days;  ///< of some commits, evenly along the line; each day once
};

/// The values that a picture of it should reach over, low <= high: all of them, or, where a few
/// would leave no room for the rest, the levels and their noise.
struct ValueRange {
  double low = 0, high = 0;
};
ValueRange value_range(const SeriesHistory& history);

/// The histories of a report, to be drawn. Refers to the report, which must outlive it.
class Histories {
 public:
  explicit Histories(const TrendReport& report);

  /// Of one of the report's series.
  SeriesHistory of(const TrendSeries& series) const;

  /// Which series are of the same quantity on other machines: indices into the report's, those
  /// with the most points first, at most `kBeside`.
  std::vector<std::size_t> beside(const TrendSeries& series) const;
  static constexpr std::size_t kBeside = 8;

  /// Indices into the report's machine events: those of the machine of the series.
  std::vector<std::size_t> events_of(const TrendSeries& series) const;
  HistorySpan event(std::size_t index) const;

  /// Baselines that are pinned to commits that were measured.
  const std::vector<HistorySign>& pins() const { return pins_; }

  const SeriesNames& names() const { return names_; }
  const TrendReport& report() const { return report_; }

  /// Where a commit stands on the line; 0 for an index beyond the report's commits.
  double position(std::size_t commit) const;

 private:
  /// Workload, params, metric, outside.
  using Quantity = std::tuple<std::string, std::string, std::string, std::string>;

  static Quantity quantity_of(const TrendSeries& series);
  void find_pins();
  void find_days();
  void add_points(const TrendSeries& series, std::vector<HistoryPoint>& points) const;
  void add_machines(const TrendSeries& series, SeriesHistory& history) const;
  void add_other_changes(const TrendSeries& series, SeriesHistory& history) const;
  void add_pins(const TrendSeries& series, SeriesHistory& history) const;

  const TrendReport& report_;
  SeriesNames names_;
  std::map<Quantity, std::vector<std::size_t>> machines_;  ///< series of a quantity as measured
  std::vector<HistorySign> pins_, days_;
};

/// Adds the levels between change points, as the medians of the points shown, up to the slope at
/// the end.
void add_levels(const Histories& histories, const TrendSeries& series, SeriesHistory& history);

/// Adds the change points of a series and its open suspects.
void add_marks(const Histories& histories, const TrendSeries& series, SeriesHistory& history);

}  // namespace perf::reporter
