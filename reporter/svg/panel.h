#pragma once

#include <string>
#include <vector>

#include "reporter/svg/axis.h"
#include "reporter/svg/drawing.h"

namespace perf::reporter::svg {

constexpr double kPanelWidth = 350;  ///< three stand side by side on a screen, one on a telephone
constexpr double kPanelHeight = 200;

/// A small picture with a title, a line of legend, a field with values upwards, and two lines of
/// captions below it.
struct Panel {
  Drawing drawing;
  double left = 0, top = 0, right = 0, bottom = 0;  ///< of the field
};

Panel panel(double width, const std::string& title, const std::string& label);

/// Grid lines with their numbers at the left of a field; `suffix` follows each number; there are
/// about so many.
void draw_values(Drawing& drawing, const Axis& axis, double left, double right,
                 const std::string& suffix, int about = 4);

/// One thing that the legend explains: a mark of those classes, and words.
struct Legend {
  std::string classes, words;
  Dot shape = Dot::round;
};
void draw_legend(Panel& panel, const std::vector<Legend>& legend);

/// Below the field; `line` is 0 or 1.
void draw_caption(Panel& panel, int line, const std::string& words);

/// A small triangle that points out of the field, at its upper or lower border: a value beyond it.
void draw_beyond(Panel& panel, double x, bool above, const std::string& classes);

/// Begins a group of what has `axis` upwards: a script tells a dot's value from its place
/// (page.js). `suffix` is the unit, as `draw_values` has it.
void begin_values(Panel& panel, const Axis& axis, const std::string& suffix);

/// About how wide a text is, in user units: enough to put two beside one another.
double text_width(const std::string& text);

}  // namespace perf::reporter::svg
