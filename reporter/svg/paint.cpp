#include <array>

#include "reporter/svg/style.h"
#include "schema/text/text_parts.h"

namespace perf::reporter::svg {
namespace {

struct Paint {
  std::string_view of, attribute, value;
};

/// Colours that people with any kind of colour vision tell apart: M. Okabe and K. Ito, "Color
/// Universal Design" (2008); orange and green somewhat darker, for text and thin lines on white.
constexpr std::array<Paint, 30> kPaints{{
    {"base", "color", "#0072b2"},
    {"head", "color", "#c77700"},
    {"regressed", "color", "#cc3d00"},
    {"failed", "color", "#cc3d00"},
    {"improved", "color", "#00805c"},
    {"inconclusive", "color", "#8250a8"},
    {"unchanged", "color", "#57606a"},
    {"incomparable", "color", "#8c959f"},
    {"unjudged", "color", "#8c959f"},
    {"hue0", "color", "#0072b2"},
    {"hue1", "color", "#c77700"},
    {"hue2", "color", "#00805c"},
    {"hue3", "color", "#8250a8"},
    {"hue4", "color", "#cc3d00"},
    {"hue5", "color", "#57606a"},
    {"axis", "color", "#8c959f"},
    {"grid", "color", "#e6eaef"},
    {"muted", "color", "#656d76"},
    {"paper", "color", "#ffffff"},
    {"band", "color", "#57606a"},
    {"band", "opacity", ".12"},
    {"reach", "opacity", ".2"},
    {"faint", "opacity", ".6"},
    {"strong", "stroke-width", "2"},
    {"small", "stroke-width", "1.6"},
    {"ring", "stroke-width", "4.5"},
    {"hole", "stroke-width", "2.3"},
    {"big", "stroke-width", "6"},
    {"dashed", "stroke-dasharray", "4 3"},
    {"heading", "font-weight", "600"},
}};

}  // namespace

std::string paint(std::string_view classes) {
  std::string attributes;
  while (!classes.empty()) {
    const std::string_view one = take_word(classes, " ");
    for (const Paint& paint : kPaints) {
      const std::string start = " " + std::string(paint.attribute) + "=\"";
      const bool is_new = attributes.find(start) == std::string::npos;  // no attribute twice
      if (paint.of == one && is_new) {
        attributes += start + std::string(paint.value) + "\"";
      }
    }
  }
  return attributes;
}

}  // namespace perf::reporter::svg
