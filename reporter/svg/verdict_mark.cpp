#include "reporter/svg/verdict_mark.h"

#include "reporter/svg/axis.h"
#include "reporter/wording.h"

namespace perf::reporter::svg {

std::string verdict_class(const Comparison& comparison) {
  const std::optional<Verdict> verdict = verdict_of(comparison);
  return verdict ? std::string(to_string(*verdict)) : "unjudged";
}

void draw_verdict_mark(Drawing& drawing, const Comparison& comparison, Point center) {
  constexpr double kHalf = 4, kDiagonal = 5, kRadius = 3.5, kHole = 1.8, kSmall = 2.5;
  const std::string verdict = verdict_class(comparison);
  if (verdict == "regressed") {
    drawing.rectangle({center.x - kHalf, center.y - kHalf}, 2 * kHalf, 2 * kHalf, "");
  } else if (verdict == "improved") {
    drawing.polygon({{center.x, center.y - kDiagonal},
                     {center.x + kDiagonal, center.y},
                     {center.x, center.y + kDiagonal},
                     {center.x - kDiagonal, center.y}},
                    "");
  } else {
    drawing.circle(center, verdict == "unjudged" ? kSmall : kRadius, "");
    if (verdict != "unjudged" && verdict != "unchanged") {
      drawing.circle(center, kHole, "paper");
    }
  }
}

std::optional<Interval> finite_interval(const Comparison& comparison) {
  if (comparison.interval && is_drawable(comparison.interval->low) &&
      is_drawable(comparison.interval->high)) {
    return comparison.interval;
  }
  return std::nullopt;
}

bool finite_change(const Comparison& comparison) {
  return comparison.change && is_drawable(*comparison.change);
}

}  // namespace perf::reporter::svg
