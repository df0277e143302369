#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "reporter/svg/axis.h"
#include "reporter/svg/drawing.h"
#include "reporter/svg/panel.h"
#include "reporter/svg/pictures.h"
#include "schema/text/lists.h"

namespace perf::reporter::svg {
namespace {

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
void draw_triangles(HistoryField& field, const SeriesHistory& history, double column) {
  constexpr double kHalf = 3, kHeight = 5;
  for (const bool above : {true, false}) {
    const double y = above ? field.top() : field.bottom();
    const double foot = above ? y + kHeight : y - kHeight;
    std::vector<Point> beyond;
    for (const HistoryPoint& one : history.points) {
      const double value = one.value / field.factor;
      if (above ? value > field.upwards.high : value < field.upwards.low) {
        beyond.push_back({field.x(one.position), y});
      }
    }
    for (const Stroke& stroke : thinned(beyond, column * kHalf, kHeight)) {
      field.drawing.polygon({{stroke.x - kHalf, foot}, {stroke.x + kHalf, foot}, {stroke.x, y}},
                            "base");
    }
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

/// The points of the series and of other machines, thinned to columns of that width; `size` is the
/// class that says how thick they are. Values beyond the field stand as triangles at its border.
void draw_points(HistoryField& field, const SeriesHistory& history, double column,
                 const std::string& size) {
  const std::vector<Stroke> others = strokes_of(field, history.beside, column);
  if (!others.empty()) {
    field.drawing.strokes(others, "axis faint " + size);
  }
  field.drawing.strokes(strokes_of(field, history.points, column), "base faint " + size);
  draw_triangles(field, history, column);
}

/// Levels, with their noise, and the slope.
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
    std::vector<Point> line = mapped(history.slope, [&](const HistoryPoint& point) {
      return Point{field.x(point.position), field.y(point.value)};
    });
    field.drawing.polyline(line, "inconclusive strong dashed");
  }
}

/// The shape of a mark: worse a triangle that points where the value went, better a circle, part of
/// a machine event a square, a suspect a diamond, refuted a small circle; what was shown before is
/// hollow.
void draw_mark(Drawing& drawing, Point at, double radius, const HistoryMark& mark) {
  draw_shape(drawing, at, radius, mark, classes_of(mark));
  if (!mark.fresh && mark.kind != "better") {
    draw_shape(drawing, at, radius * kInside, mark, "paper");
  }
}

constexpr double kHeight = 250;
constexpr double kHistoryLeft = 66, kHistoryRight = 14, kHistoryBottom = 26;
constexpr double kHalfDay = 36;  ///< of a date's width
constexpr double kSigns = 14;    ///< lane of baselines and machines, a base line
constexpr double kChanges = 28;  ///< lane of changes
constexpr double kTop = 34;
constexpr double kTitle = 22;   ///< what a title adds on top
constexpr double kBold = 1.12;  ///< how much wider it is
constexpr double kColumn = 2.4;
constexpr double kThumbnailWidth = 168, kThumbnailHeight = 26;

/// Texts side by side on one base line: a later one that would meet an earlier one is left out. Its
/// line and its tooltip stay.
class Lane {
 public:
  Lane(double y, double right) : y_(y), right_(right) {}

  void write(Drawing& drawing, double x, const std::string& text, const std::string& classes) {
    const double width = text_width(text) * kBold + 8;
    const bool at_end = x + width > right_;
    const double from = at_end ? x - width : x;
    for (const auto& [begin, end] : taken_) {
      if (from < end && begin < from + width) {
        return;
      }
    }
    taken_.emplace_back(from, from + width);
    drawing.text({x + (at_end ? -4 : 4), y_}, text, classes, at_end ? Anchor::end : Anchor::start);
  }

 private:
  double y_, right_;
  std::vector<std::pair<double, double>> taken_;
};

void draw_axes(HistoryField& field, const SeriesHistory& history) {
  draw_values(field.drawing, field.upwards, kHistoryLeft, kHistoryWidth - kHistoryRight,
              history.scale.suffix);
  for (std::size_t i = 0; i < history.days.size(); ++i) {
    const double x = field.x(history.days[i].position);
    const bool at_end = i > 0 && x > kHistoryWidth - kHistoryRight - kHalfDay;
    field.drawing.text({x, field.bottom() + 16}, history.days[i].name, "muted",
                       i == 0   ? Anchor::start
                       : at_end ? Anchor::end
                                : Anchor::middle);
  }
}

void draw_surroundings(HistoryField& field, const SeriesHistory& history, double lane) {
  for (const HistorySpan& event : history.events) {
    const double left = field.x(event.from), width = field.x(event.to) - left;
    field.drawing.rectangle({left - 1, field.top()}, width + 2, field.bottom() - field.top(),
                            "reach unchanged", event.text);
  }
  Lane signs(lane, kHistoryWidth);
  const auto draw = [&](const HistorySign& sign, const std::string& classes,
                        const std::string& word) {
    const double x = field.x(sign.position);
    field.drawing.begin_group(classes, sign.text);
    field.drawing.line({x, lane - 8}, {x, field.bottom()}, "dashed");
    signs.write(field.drawing, x, word + sign.name, "");
    field.drawing.end_group();
  };
  for (const HistorySign& pin : history.pins) {
    draw(pin, "head", "");
  }
  for (const HistorySign& taken_over : history.breaks) {
    draw(taken_over, "muted", "machine ");
  }
}

void draw_marks(HistoryField& field, const SeriesHistory& history, double lane) {
  std::vector<const HistoryMark*> marks =
      mapped(history.marks, [](const HistoryMark& mark) { return &mark; });
  std::ranges::stable_sort(marks, [](const HistoryMark* a, const HistoryMark* b) {
    return a->fresh > b->fresh;  // the news keeps its words where there is no room for all
  });
  Lane changes(lane, kHistoryWidth);
  for (const HistoryMark* mark : marks) {
    const double x = field.x(mark->at.position);
    const std::string tone = mark->kind == "worse"    ? "regressed"
                             : mark->kind == "better" ? "improved"
                                                      : "muted";
    field.drawing.begin_group("mark " + tone, mark->text);
    field.drawing.line({x, field.top()}, {x, field.bottom()}, "faint");
    changes.write(field.drawing, x, mark->change + (mark->fresh ? " new" : ""),
                  mark->fresh ? "heading" : "");
    draw_mark(field.drawing, {x, field.y(mark->at.value)}, mark->fresh ? 7 : 5.5, *mark);
    field.drawing.end_group();
  }
}

}  // namespace

std::string history_picture(const SeriesHistory& history, bool titled) {
  const double down = titled ? kTitle : 0;
  Drawing drawing(kHistoryWidth, kHeight + down, "history of " + history.label);
  HistoryField field =
      history_field(drawing, history, {kHistoryLeft, kTop + down},
                    {kHistoryWidth - kHistoryRight, kHeight + down - kHistoryBottom});
  if (titled) {
    drawing.text({0, 14}, history.label, "heading");
  }
  draw_axes(field, history);
  draw_surroundings(field, history, kSigns + down);
  draw_points(field, history, kColumn, "");
  draw_levels(field, history, true);
  draw_marks(field, history, kChanges + down);
  return drawing.str();
}

std::string history_thumbnail(const SeriesHistory& history) {
  constexpr double kInset = 4;
  SeriesHistory own = history;
  own.beside.clear();
  Drawing drawing(kThumbnailWidth, kThumbnailHeight, history.label);
  HistoryField field = history_field(drawing, own, {kInset, kInset},
                                     {kThumbnailWidth - kInset, kThumbnailHeight - kInset});
  draw_points(field, own, kColumn, "small");
  draw_levels(field, own, false);
  for (const HistoryMark& mark : own.marks) {
    draw_mark(drawing, {field.x(mark.at.position), field.y(mark.at.value)}, 3.5, mark);
  }
  return drawing.str();
}

}  // namespace perf::reporter::svg
