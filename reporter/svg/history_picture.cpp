#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "reporter/svg/drawing.h"
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

/// By MarkKind: of its shape, and of its words.
constexpr const char* kMarkClasses[] = {"regressed", "improved", "unchanged", "unchanged",
                                        "inconclusive"};
constexpr const char* kWordClasses[] = {"regressed", "improved", "muted", "muted", "muted"};

const char* class_of(const HistoryMark& mark, const char* const (&classes)[5]) {
  return classes[static_cast<std::size_t>(mark.kind)];
}

void draw_shape(Drawing& drawing, Point at, double r, const HistoryMark& mark,
                const std::string& classes) {
  switch (mark.kind) {
    case MarkKind::worse: {
      const double tip = mark.change.rfind('-', 0) == 0 ? r : -r;
      const double foot = at.y - tip * .8;
      drawing.polygon({{at.x - r, foot}, {at.x + r, foot}, {at.x, at.y + tip}}, classes);
      break;
    }
    case MarkKind::better:
    case MarkKind::refuted:
      drawing.circle(at, mark.kind == MarkKind::refuted ? r * .7 : r * .85, classes);
      break;
    case MarkKind::event:
      drawing.rectangle({at.x - r * .8, at.y - r * .8}, r * 1.6, r * 1.6, classes);
      break;
    case MarkKind::suspect:
      drawing.polygon({{at.x - r, at.y}, {at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}},
                      classes);
      break;
  }
}

Axis axis_across(const SeriesHistory& history, double from, double to) {
  return history.last > history.first ? Axis{history.first, history.last, from, to}
                                      : Axis{history.first - 1, history.first + 1, from, to};
}

Axis axis_upwards(const SeriesHistory& history, double from, double to) {
  const ValueRange range = value_range(history);
  return axis_around(range.low / history.scale.factor, range.high / history.scale.factor, from, to);
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
  draw_shape(drawing, at, radius, mark, class_of(mark, kMarkClasses));
  if (!mark.fresh && mark.kind != MarkKind::better) {
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

/// Begins a group that keeps its shape where a page stretches the field (history.js).
void begin_upright(HistoryField& field, double x, const std::string& classes,
                   const std::string& tooltip = {}, std::optional<double> position = {}) {
  std::vector<std::pair<std::string_view, std::string>> attributes{
      {"data-x", fmt::format("{:.1f}", x)}};
  if (position) {
    attributes.emplace_back("data-at", fmt::format("{}", *position));
  }
  field.drawing.begin_group(classes, tooltip, attributes);
}

void draw_days(HistoryField& field, const SeriesHistory& history) {
  for (std::size_t i = 0; i < history.days.size(); ++i) {
    const double x = field.x(history.days[i].position);
    const bool at_end = i > 0 && x > kHistoryWidth - kHistoryRight - kHalfDay;
    begin_upright(field, x, "");
    field.drawing.text({x, field.bottom() + 16}, history.days[i].name, "muted",
                       i == 0   ? Anchor::start
                       : at_end ? Anchor::end
                                : Anchor::middle);
    field.drawing.end_group();
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
    begin_upright(field, x, "lane " + classes, sign.text);
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
    begin_upright(field, x, std::string("lane ") + class_of(*mark, kWordClasses), mark->text,
                  mark->at.position);
    field.drawing.line({x, field.top()}, {x, field.bottom()}, "faint");
    changes.write(field.drawing, x, mark->change + (mark->fresh ? " new" : ""),
                  mark->fresh ? "heading" : "");
    draw_mark(field.drawing, {x, field.y(mark->at.value)}, mark->fresh ? 7 : 5.5, *mark);
    field.drawing.end_group();
  }
}

}  // namespace

HistoryAxes history_axes(const SeriesHistory& history, double down) {
  return {axis_across(history, kHistoryLeft, kHistoryWidth - kHistoryRight),
          axis_upwards(history, kHeight + down - kHistoryBottom, kTop + down)};
}

std::string history_picture(const SeriesHistory& history, bool titled) {
  const double down = titled ? kTitle : 0;
  Drawing drawing(kHistoryWidth, kHeight + down, "history of " + history.label);
  const auto [across, upwards] = history_axes(history, down);
  HistoryField field{drawing, across, upwards, history.scale.factor};
  if (titled) {
    drawing.text({0, 14}, history.label, "heading");
  }
  draw_values(drawing, upwards, kHistoryLeft, kHistoryWidth - kHistoryRight, history.scale.suffix);
  drawing.begin_group("field", {},
                      {{"data-across", axis_text(across)}, {"data-upwards", axis_text(upwards)}});
  draw_days(field, history);
  draw_surroundings(field, history, kSigns + down);
  draw_points(field, history, kColumn, "");
  draw_levels(field, history, true);
  draw_marks(field, history, kChanges + down);
  drawing.end_group();
  return drawing.str();
}

std::string history_thumbnail(const SeriesHistory& history) {
  constexpr double kInset = 4;
  SeriesHistory own = history;
  own.beside.clear();
  Drawing drawing(kThumbnailWidth, kThumbnailHeight, history.label);
  HistoryField field{drawing, axis_across(own, kInset, kThumbnailWidth - kInset),
                     axis_upwards(own, kThumbnailHeight - kInset, kInset), own.scale.factor};
  draw_points(field, own, kColumn, "small");
  draw_levels(field, own, false);
  for (const HistoryMark& mark : own.marks) {
    draw_mark(drawing, {field.x(mark.at.position), field.y(mark.at.value)}, 3.5, mark);
  }
  return drawing.str();
}

}  // namespace perf::reporter::svg
