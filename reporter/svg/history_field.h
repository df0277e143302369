#pragma once

#include "reporter/svg/axis.h"
#include "reporter/svg/drawing.h"
#include "reporter/trend/series_history.h"

namespace perf::reporter::svg {

/// Where a history is drawn: positions to the right, values, as people read them, upwards.
struct HistoryField {
  Drawing& drawing;
  Axis across, upwards;
  double factor = 1;  ///< a value divided by it is what `upwards` takes

  double x(double position) const { return across.at(position); }
  double y(double value) const { return upwards.within(value / factor); }
  bool holds(double value) const {
    return value / factor >= upwards.low && value / factor <= upwards.high;
  }
  double top() const { return upwards.to; }
  double bottom() const { return upwards.from; }
};

HistoryField history_field(Drawing& drawing, const SeriesHistory& history, Point corner,
                           Point opposite);

/// The points of the series and of other machines, thinned to columns of that width; `size` is the
/// class that says how thick they are. Values beyond the field stand as triangles at its border.
void draw_points(HistoryField& field, const SeriesHistory& history, double column,
                 const std::string& size);

/// Levels, with their noise, and the slope.
void draw_levels(HistoryField& field, const SeriesHistory& history, bool with_noise);

/// The shape of a mark: worse a triangle that points where the value went, better a circle, part of
/// a machine event a square, a suspect a diamond, refuted a small circle; what was shown before is
/// hollow.
void draw_mark(Drawing& drawing, Point at, double radius, const HistoryMark& mark);

}  // namespace perf::reporter::svg
