#pragma once

#include <string>
#include <vector>

#include "reporter/text/quantity.h"

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

/// A change point, or a suspect.
struct HistoryMark {
  HistoryPoint at;     ///< the first point after it, at the level after it
  std::string kind;    ///< worse, better, event (part of a machine event), refuted or suspect
  bool fresh = false;  ///< an alert that was never shown
  std::string change;  ///< "+12.4 %"
  std::string text;    ///< all that a tooltip should say; not escaped
};

/// A pinned baseline, or where another machine takes over.
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

}  // namespace perf::reporter
