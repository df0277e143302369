#include "reporter/svg/session_field.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace perf::reporter::svg {
namespace {

constexpr double kStrip = 24, kGap = 5;  ///< height of the strip, and what is between
constexpr double kSlack = 1.02;          ///< of its axis, at its top

bool lies_on(const Axis& axis, const SessionDot& dot, double factor) {
  const double value = dot.value / factor;
  return is_drawable(dot.value) && value >= axis.low && value <= axis.high;
}

/// Which share of a side's dots on this axis is drawn. Each axis has its own: the few far away on
/// the strip are all drawn, however many thousands the field below thins out.
double share_on(const Axis& axis, const Session& session, Side side, double factor) {
  const auto count = std::count_if(
      session.dots.begin(), session.dots.end(),
      [&](const SessionDot& dot) { return dot.side == side && lies_on(axis, dot, factor); });
  return static_cast<double>(kMostDots) / std::max(static_cast<double>(count), 1.0);
}

/// Keeps about that share of a sequence, evenly, and whatever period is in it: the multiples of the
/// golden ratio are spread evenly between whole numbers (H. Weyl 1916).
bool keeps(std::size_t index, double share) {
  constexpr double kGolden = 0.6180339887498949;
  const double turns = kGolden * static_cast<double>(index);
  return share >= 1 || turns - std::floor(turns) < share;
}

std::string classes_of(Side side, Mark mark) {
  std::string name = side == Side::base ? "base" : "head";
  switch (mark) {
    case Mark::measured:
      return name + " faint";
    case Mark::warmup:
      return name + " ring";
    case Mark::aside:
      return name + " faint small";
  }
  return name;
}

double place(const SessionDot& dot, const Session& session, const Panel& panel) {
  return panel.left + dot.at * (panel.right - panel.left) / static_cast<double>(session.processes);
}

/// The dot that sets the scale of this axis: no thinning takes it away.
const SessionDot* highest_on(const Axis& axis, const Session& session, double factor) {
  const SessionDot* highest = nullptr;
  for (const SessionDot& dot : session.dots) {
    if (lies_on(axis, dot, factor) && (highest == nullptr || dot.value > highest->value)) {
      highest = &dot;
    }
  }
  return highest;
}

/// The dots of one side and mark that lie on this axis.
void draw_on(const Axis& axis, const Session& session, Side side, Mark mark, double factor,
             Panel& panel) {
  const double share = share_on(axis, session, side, factor);
  const SessionDot* const highest = highest_on(axis, session, factor);
  std::vector<Point> points;
  std::size_t index = 0;
  for (const SessionDot& dot : session.dots) {
    if (dot.side != side || dot.mark != mark || !lies_on(axis, dot, factor)) {
      continue;
    }
    if (keeps(index++, share) || &dot == highest) {
      points.push_back({place(dot, session, panel), axis.at(dot.value / factor)});
    }
  }
  if (points.empty()) {
    return;
  }
  const Dot shape = side == Side::base ? Dot::round : Dot::square;
  panel.drawing.dots(points, classes_of(side, mark), shape);
  if (mark == Mark::warmup) {
    panel.drawing.dots(points, "paper hole", shape);
  }
}

/// What lies below the field, marked, though not twice at one place; how many there are.
std::size_t draw_below(const Session& session, const Axis& axis, double factor, Panel& panel) {
  std::set<long> marked;
  std::size_t below = 0;
  for (const SessionDot& dot : session.dots) {
    if (!is_drawable(dot.value) || dot.value / factor >= axis.low) {
      continue;
    }
    ++below;
    const double x = place(dot, session, panel);
    if (marked.insert(std::lround(x)).second) {
      draw_beyond(panel, x, false, dot.side == Side::base ? "base" : "head");
    }
  }
  return below;
}

}  // namespace

SessionField session_field(const Session& session, const Panel& panel, double factor) {
  std::vector<double> measured, all;
  for (const SessionDot& dot : session.dots) {
    if (!is_drawable(dot.value)) {
      continue;
    }
    all.push_back(dot.value / factor);
    if (dot.mark != Mark::warmup) {
      measured.push_back(dot.value / factor);
    }
  }
  SessionField field{axis_around_most(measured.empty() ? all : measured, panel.bottom, panel.top),
                     std::nullopt};
  const double largest = *std::max_element(all.begin(), all.end());
  if (largest > field.axis.high) {
    const double top = field.axis.high + (largest - field.axis.high) * kSlack;
    field.strip = Axis{field.axis.high, top, panel.top + kStrip, panel.top};
    field.axis.to = panel.top + kStrip + kGap;
  }
  return field;
}

std::size_t draw_dots(const Session& session, const SessionField& field, const Scale& scale,
                      Panel& panel) {
  std::vector<Axis> axes{field.axis};
  if (field.strip) {
    axes.push_back(*field.strip);
  }
  for (const Axis& axis : axes) {
    begin_values(panel, axis, scale.suffix);
    for (const Mark mark : {Mark::aside, Mark::warmup, Mark::measured}) {
      for (const Side side : {Side::base, Side::head}) {
        draw_on(axis, session, side, mark, scale.factor, panel);
      }
    }
    end_values(panel);
  }
  return draw_below(session, field.axis, scale.factor, panel);
}

double drawn_share(const Session& session, const Axis& axis, double factor) {
  return std::min({1.0, share_on(axis, session, Side::base, factor),
                   share_on(axis, session, Side::head, factor)});
}

}  // namespace perf::reporter::svg
