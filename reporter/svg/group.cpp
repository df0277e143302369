#include <algorithm>
#include <cmath>
#include <set>

#include "reporter/svg/drawing.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "schema/selection.h"
#include "schema/text/text_parts.h"

namespace perf::reporter::svg {
namespace {

constexpr Side kSides[] = {Side::base, Side::head};

Dot shape_of(Side side) {
  return side == Side::base ? Dot::round : Dot::square;
}

/// Where the values of a group stand. Most have the field below; what lies far above them (a
/// warm-up, a step that was interrupted) has a strip of its own, so that neither hides the other.
struct GroupField {
  Axis axis;
  std::optional<Axis> strip;  ///< above, where anything lies there
};

constexpr double kStrip = 24, kBelowStrip = 5;  ///< height of the strip, and what is between
constexpr double kSlack = 1.02;                 ///< of its axis, at its top

bool lies_on(const Axis& axis, const GroupDot& dot, double factor) {
  const double value = dot.value / factor;
  return value >= axis.low && value <= axis.high;
}

/// Which share of a side's dots on this axis is drawn. Each axis has its own: the few far away on
/// the strip are all drawn, however many thousands the field below thins out.
double share_on(const Axis& axis, const Group& group, Side side, double factor) {
  const auto count = std::ranges::count_if(group.dots, [&](const GroupDot& dot) {
    return dot.side == side && lies_on(axis, dot, factor);
  });
  return static_cast<double>(kMostDots) / std::max(static_cast<double>(count), 1.0);
}

/// Keeps about that share of a sequence, evenly, and whatever period is in it: the multiples of the
/// golden ratio are spread evenly between whole numbers (H. Weyl 1916).
bool keeps(std::size_t index, double share) {
  constexpr double kGolden = 0.6180339887498949;
  const double turns = kGolden * static_cast<double>(index);
  return share >= 1 || turns - std::floor(turns) < share;
}

std::string dot_classes(Side side, Mark mark) {
  constexpr const char* kClasses[] = {" faint", " ring", " faint small"};  // by Mark
  return std::string(to_string(side)) + kClasses[static_cast<std::size_t>(mark)];
}

double place(const GroupDot& dot, const Group& group, const Panel& panel) {
  return panel.left + dot.at * (panel.right - panel.left) / static_cast<double>(group.processes);
}

/// The dot that sets the scale of this axis: no thinning takes it away.
const GroupDot* highest_on(const Axis& axis, const Group& group, double factor) {
  const GroupDot* highest = nullptr;
  for (const GroupDot& dot : group.dots) {
    if (lies_on(axis, dot, factor) && (highest == nullptr || dot.value > highest->value)) {
      highest = &dot;
    }
  }
  return highest;
}

/// The dots of one side and mark that lie on this axis.
void draw_on(const Axis& axis, const Group& group, Side side, Mark mark, double factor,
             Panel& panel) {
  const double share = share_on(axis, group, side, factor);
  const GroupDot* const highest = highest_on(axis, group, factor);
  std::vector<Point> points;
  std::size_t index = 0;
  for (const GroupDot& dot : group.dots) {
    if (dot.side != side || dot.mark != mark || !lies_on(axis, dot, factor)) {
      continue;
    }
    if (keeps(index++, share) || &dot == highest) {
      points.push_back({place(dot, group, panel), axis.at(dot.value / factor)});
    }
  }
  if (points.empty()) {
    return;
  }
  panel.drawing.dots(points, dot_classes(side, mark), shape_of(side));
  if (mark == Mark::warmup) {
    panel.drawing.dots(points, "paper hole", shape_of(side));
  }
}

/// What lies below the field, marked, though not twice at one place; how many there are.
std::size_t draw_below(const Group& group, const Axis& axis, double factor, Panel& panel) {
  std::set<long> marked;
  std::size_t below = 0;
  for (const GroupDot& dot : group.dots) {
    if (dot.value / factor >= axis.low) {
      continue;
    }
    ++below;
    const double x = place(dot, group, panel);
    if (marked.insert(std::lround(x)).second) {
      draw_beyond(panel, x, false, std::string(to_string(dot.side)));
    }
  }
  return below;
}

GroupField group_field(const Group& group, const Panel& panel, double factor) {
  std::vector<double> measured, all;
  for (const GroupDot& dot : group.dots) {
    all.push_back(dot.value / factor);
    if (dot.mark != Mark::warmup) {
      measured.push_back(dot.value / factor);
    }
  }
  GroupField field{axis_around_most(measured.empty() ? all : measured, panel.bottom, panel.top),
                   std::nullopt};
  const double largest = *std::ranges::max_element(all);
  if (largest > field.axis.high) {
    const double top = field.axis.high + (largest - field.axis.high) * kSlack;
    field.strip = Axis{field.axis.high, top, panel.top + kStrip, panel.top};
    field.axis.to = panel.top + kStrip + kBelowStrip;
  }
  return field;
}

/// Draws the dots, those of a large group thinned out; returns how many lie below the field,
/// where small triangles mark them.
std::size_t draw_dots(const Group& group, const GroupField& field, const Scale& scale,
                      Panel& panel) {
  std::vector<Axis> axes{field.axis};
  if (field.strip) {
    axes.push_back(*field.strip);
  }
  for (const Axis& axis : axes) {
    begin_values(panel, axis, scale.suffix);
    for (const Mark mark : {Mark::aside, Mark::warmup, Mark::measured}) {
      for (const Side side : kSides) {
        draw_on(axis, group, side, mark, scale.factor, panel);
      }
    }
    panel.drawing.end_group();
  }
  return draw_below(group, field.axis, scale.factor, panel);
}

std::optional<double> median_of(const Group& group, Side side) {
  std::vector<double> values;
  for (const GroupDot& dot : group.dots) {
    if (dot.side == side && dot.mark == Mark::measured) {
      values.push_back(dot.value);
    }
  }
  return values.empty() ? std::nullopt : std::optional(median_in_place(values));
}

/// In what the medians are written; where nothing was measured, in what the warm-up is.
Scale scale_of(const Group& group) {
  const std::optional<double> base = median_of(group, Side::base);
  const std::optional<double> head = median_of(group, Side::head);
  const double one = base.value_or(head.value_or(group.dots.back().value));
  return scale_for(one, head.value_or(one), group.unit);
}

std::string titled(const Group& group, const Scale& scale) {
  return scale.suffix.empty() ? group.title : group.title + "," + scale.suffix;
}

/// The strip at the top, and the value at its upper end.
void draw_strip(const Axis& strip, Panel& panel) {
  panel.drawing.rectangle({panel.left, strip.to}, panel.right - panel.left, strip.from - strip.to,
                          "band");
  panel.drawing.text({panel.left - 6, strip.to + 9}, tick_text(strip.high, {strip.high}), "muted",
                     Anchor::end);
}

/// "1 in 3.2 drawn", of the dots on this axis and the side that has more; nothing where all are.
std::string thinned_words(const Group& group, const Axis& axis, double factor) {
  const double share = std::min(share_on(axis, group, Side::base, factor),
                                share_on(axis, group, Side::head, factor));
  return share < 1 ? "1 in " + fixed(1 / share, 1) + " drawn" : std::string();
}

std::string remarks_on(const Group& group, const GroupField& field, double factor,
                       std::size_t below) {
  std::vector<std::string> remarks = group.remarks;
  if (field.strip) {
    const std::string thinned = thinned_words(group, *field.strip, factor);
    remarks.push_back("grey strip: another scale" + (thinned.empty() ? "" : ", " + thinned));
  }
  if (below > 0) {
    remarks.push_back(std::to_string(below) + " below");
  }
  const std::string thinned = thinned_words(group, field.axis, factor);
  if (!thinned.empty()) {
    remarks.push_back(field.strip ? "under it " + thinned : thinned);
  }
  return perf::joined(remarks, "; ");
}

void draw_medians(const Group& group, const Scale& scale, const Axis& axis, Panel& panel) {
  std::vector<Legend> legend;
  for (const Side side : kSides) {
    const std::string name(to_string(side));
    const std::optional<double> median = median_of(group, side);
    if (!median) {
      continue;
    }
    const double y = axis.within(*median / scale.factor);
    panel.drawing.line({panel.left, y}, {panel.right, y}, name + " strong");
    legend.push_back({name, name + " " + scaled(*median, scale), shape_of(side)});
  }
  draw_legend(panel, legend);
}

}  // namespace

double place_in_group(std::size_t process, std::size_t index, std::size_t count) {
  constexpr double kGap = 0.1;  // of a slot, before its first value and after its last
  const double share = (static_cast<double>(index) + 0.5) / static_cast<double>(count);
  return static_cast<double>(process) + kGap + share * (1 - 2 * kGap);
}

std::string group_picture(Group group, double width) {
  std::erase_if(group.dots, [](const GroupDot& dot) { return !is_drawable(dot.value); });
  if (group.dots.empty() || group.processes == 0) {
    return {};
  }
  const Scale scale = scale_of(group);
  Panel picture = panel(width, titled(group, scale), group.label);
  const GroupField field = group_field(group, picture, scale.factor);
  draw_values(picture.drawing, field.axis, picture.left, picture.right, "");
  if (field.strip) {
    draw_strip(*field.strip, picture);
  }
  const std::size_t below = draw_dots(group, field, scale, picture);
  draw_medians(group, scale, field.axis, picture);
  draw_caption(picture, 0,
               counted(group.processes, "process", "processes") + " in the order they ran");
  draw_caption(picture, 1, remarks_on(group, field, scale.factor, below));
  return picture.drawing.str();
}

}  // namespace perf::reporter::svg
