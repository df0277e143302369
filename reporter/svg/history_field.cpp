#include "reporter/svg/history_field.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "reporter/svg/thinning.h"

namespace perf::reporter::svg {
namespace {

constexpr double kBand = 2;        ///< standard deviations: 19 of 20 points are within
constexpr double kApart = 0.07;    ///< of the height: a point so far from the next stands alone
constexpr double kInside = 0.55;   ///< of a hollow mark's radius
constexpr double kShortLevel = 3;  ///< units: a level of one point is drawn so wide

std::vector<Stroke> strokes_of(const HistoryField& field, const std::vector<HistoryPoint>& values,
                               double column) {
  std::vector<Point> points;
  for (const HistoryPoint& one : values) {
    if (field.holds(one.value)) {
      points.push_back({field.x(one.position), field.y(one.value)});
    }
  }
  return thinned(points, column, (field.bottom() - field.top()) * kApart);
}

/// A triangle for each column with values beyond the border, however many there are.
void draw_beyond(HistoryField& field, const SeriesHistory& history, double column) {
  constexpr double kHalf = 3, kHeight = 5;
  std::vector<Point> above, below;
  for (const HistoryPoint& one : history.points) {
    const double value = one.value / field.factor;
    if (value > field.upwards.high) {
      above.push_back({field.x(one.position), field.top()});
    }
    if (value < field.upwards.low) {
      below.push_back({field.x(one.position), field.bottom()});
    }
  }
  for (const Stroke& stroke : thinned(above, column * kHalf, kHeight)) {
    const double y = field.top();
    field.drawing.polygon(
        {{stroke.x - kHalf, y + kHeight}, {stroke.x + kHalf, y + kHeight}, {stroke.x, y}}, "base");
  }
  for (const Stroke& stroke : thinned(below, column * kHalf, kHeight)) {
    const double y = field.bottom();
    field.drawing.polygon(
        {{stroke.x - kHalf, y - kHeight}, {stroke.x + kHalf, y - kHeight}, {stroke.x, y}}, "base");
  }
}

std::string classes_of(const HistoryMark& mark) {
  if (mark.kind == "worse") {
    return "regressed";
  }
  if (mark.kind == "better") {
    return "improved";
  }
  return mark.kind == "suspect" ? "inconclusive" : "unchanged";
}

void draw_shape(Drawing& drawing, Point at, double r, const HistoryMark& mark,
                const std::string& classes) {
  if (mark.kind == "worse") {
    const double tip = mark.change.rfind('-', 0) == 0 ? r : -r;
    drawing.polygon({{at.x - r, at.y - tip * .8}, {at.x + r, at.y - tip * .8}, {at.x, at.y + tip}},
                    classes);
  } else if (mark.kind == "event") {
    drawing.rectangle({at.x - r * .8, at.y - r * .8}, r * 1.6, r * 1.6, classes);
  } else if (mark.kind == "suspect") {
    drawing.polygon({{at.x - r, at.y}, {at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}},
                    classes);
  } else {
    drawing.circle(at, mark.kind == "refuted" ? r * .7 : r * .85, classes);
  }
}

}  // namespace

HistoryField history_field(Drawing& drawing, const SeriesHistory& history, Point corner,
                           Point opposite) {
  const ValueRange range = value_range(history);
  Axis across{history.first, history.last, corner.x, opposite.x};
  if (!(across.high > across.low)) {
    across = {history.first - 1, history.first + 1, corner.x, opposite.x};
  }
  return {drawing, across,
          axis_around(range.low / history.scale.factor, range.high / history.scale.factor,
                      opposite.y, corner.y),
          history.scale.factor};
}

void draw_points(HistoryField& field, const SeriesHistory& history, double column,
                 const std::string& size) {
  const std::vector<Stroke> others = strokes_of(field, history.beside, column);
  if (!others.empty()) {
    field.drawing.strokes(others, "axis faint " + size);
  }
  field.drawing.strokes(strokes_of(field, history.points, column), "base faint " + size);
  draw_beyond(field, history, column);
}

void draw_levels(HistoryField& field, const SeriesHistory& history, bool with_noise) {
  for (const HistoryLevel& level : history.levels) {
    const double left = field.x(level.from);
    const double right = std::max(field.x(level.to), left + kShortLevel);
    const double noise = kBand * level.noise * std::abs(level.value);
    const double high = field.y(level.value + noise), low = field.y(level.value - noise);
    if (with_noise) {
      field.drawing.rectangle({left, high}, right - left, low - high, "band");
    }
    field.drawing.line({left, field.y(level.value)}, {right, field.y(level.value)},
                       with_noise ? "strong" : "small");
  }
  if (!history.slope.empty()) {
    std::vector<Point> line;
    for (const HistoryPoint& point : history.slope) {
      line.push_back({field.x(point.position), field.y(point.value)});
    }
    field.drawing.polyline(line, "inconclusive strong dashed");
  }
}

void draw_mark(Drawing& drawing, Point at, double radius, const HistoryMark& mark) {
  draw_shape(drawing, at, radius, mark, classes_of(mark));
  if (!mark.fresh && mark.kind != "better") {
    draw_shape(drawing, at, radius * kInside, mark, "paper");
  }
}

}  // namespace perf::reporter::svg
