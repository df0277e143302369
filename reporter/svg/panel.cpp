#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reporter/escape/visible.h"
#include "reporter/svg/drawing.h"

namespace perf::reporter::svg {
namespace {

constexpr double kCharacter = 6.1;  ///< mean width of one, at 11 units of font size

constexpr double kPanelLeft = 50, kPanelRight = 8;  ///< around the field
constexpr double kPanelTop = 40, kBottom = 36;
constexpr double kPanelTitle = 12, kLegend = 29;  ///< base lines of text
constexpr double kCaption = 15, kLine = 14;       ///< below the field

}  // namespace

double text_width(const std::string& text) {
  return kCharacter * static_cast<double>(display_width(text));
}

Panel panel(double width, const std::string& title, const std::string& label) {
  Panel made{Drawing(width, kPanelHeight, label), kPanelLeft, kPanelTop, width - kPanelRight,
             kPanelHeight - kBottom};
  made.drawing.text({0, kPanelTitle}, title, "heading");
  return made;
}

void draw_values(Drawing& drawing, const Axis& axis, double left, double right,
                 const std::string& suffix, int about) {
  const std::vector<double> values = ticks(axis, about);
  for (const double value : values) {
    const double y = axis.at(value);
    drawing.line({left, y}, {right, y}, "grid");
    drawing.text({left - 6, y + 4}, tick_text(value, values) + suffix, "muted", Anchor::end);
  }
}

void draw_legend(Panel& panel, const std::vector<Legend>& legend) {
  double x = 0;
  for (const Legend& entry : legend) {
    panel.drawing.begin_group(entry.classes);
    panel.drawing.dots({{x + 3, kLegend - 3.5}}, "big", entry.shape);
    panel.drawing.text({x + 10, kLegend}, entry.words, "");
    panel.drawing.end_group();
    x += text_width(entry.words) + 22;
  }
}

void draw_caption(Panel& panel, int line, const std::string& words) {
  if (words.empty()) {
    return;
  }
  panel.drawing.text({0, panel.bottom + kCaption + line * kLine}, words, "muted");
}

void draw_beyond(Panel& panel, double x, bool above, const std::string& classes) {
  const double tip = above ? panel.top - 5 : panel.bottom + 5;
  const double foot = above ? panel.top : panel.bottom;
  panel.drawing.polygon({{x - 3, foot}, {x + 3, foot}, {x, tip}}, classes);
}

void begin_values(Panel& panel, const Axis& axis, const std::string& suffix) {
  // As fine as the tenths of a coordinate tell.
  constexpr double kMarks = 500, kMostDecimals = 9;
  const double decimals =
      std::clamp(std::ceil(std::log10(kMarks / (axis.high - axis.low))), 0.0, kMostDecimals);
  panel.drawing.begin_group(
      "", "",
      {{"data-axis", axis_text(axis) + fmt::format(" {}", decimals)}, {"data-suffix", suffix}});
}

}  // namespace perf::reporter::svg
