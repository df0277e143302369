#include "reporter/svg/history_picture.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "reporter/svg/history_field.h"
#include "reporter/svg/panel.h"

namespace perf::reporter::svg {
namespace {

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
  const std::vector<double> values = ticks(field.upwards, 4);
  for (const double value : values) {
    const double y = field.upwards.at(value);
    field.drawing.line({kHistoryLeft, y}, {kHistoryWidth - kHistoryRight, y}, "grid");
    field.drawing.text({kHistoryLeft - 6, y + 4}, tick_text(value, values) + history.scale.suffix,
                       "muted", Anchor::end);
  }
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
  std::vector<const HistoryMark*> marks;
  for (const HistoryMark& mark : history.marks) {
    marks.push_back(&mark);
  }
  std::stable_sort(marks.begin(), marks.end(), [](const HistoryMark* a, const HistoryMark* b) {
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
