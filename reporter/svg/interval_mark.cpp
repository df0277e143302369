#include "reporter/svg/interval_mark.h"

#include <cmath>
#include <string>

#include "reporter/svg/verdict_mark.h"
#include "reporter/threshold_band.h"

namespace perf::reporter::svg {
namespace {

void draw_arrow(Drawing& drawing, double x, double y, bool right) {
  constexpr double kLength = 6, kHalf = 3.5;
  const double foot = right ? x - kLength : x + kLength;
  drawing.polygon({{foot, y - kHalf}, {x, y}, {foot, y + kHalf}}, "");
}

void draw_line(Drawing& drawing, const Interval& interval, const Axis& axis, double y) {
  drawing.line({axis.within(interval.low), y}, {axis.within(interval.high), y}, "strong");
  if (interval.high > axis.high) {
    draw_arrow(drawing, axis.to, y, true);
  }
  if (interval.low < axis.low) {
    draw_arrow(drawing, axis.from, y, false);
  }
}

/// Where the value is no longer zero, there is no change to tell, but a direction.
bool grew_from_zero(const Comparison& comparison) {
  return !comparison.change && comparison.base && comparison.head && comparison.base->median == 0 &&
         comparison.head->median != 0;
}

void draw_estimate(Drawing& drawing, const Comparison& comparison, const Axis& axis, double y) {
  const double change = *comparison.change;
  if (change >= axis.low && change <= axis.high) {
    draw_verdict_mark(drawing, comparison, {axis.at(change), y});
  } else if (!finite_interval(comparison)) {
    draw_arrow(drawing, axis.within(change), y, change > axis.high);
  }
}

}  // namespace

void draw_interval(Drawing& drawing, const Comparison& comparison, const Axis& axis, double y,
                   double half) {
  if (comparison.threshold > 0 && std::isfinite(comparison.threshold)) {
    const Interval band = threshold_band(comparison.threshold);
    const double from = axis.within(band.low);
    drawing.rectangle({from, y - half}, axis.within(band.high) - from, 2 * half, "band");
  }
  drawing.line({axis.at(0), y - half}, {axis.at(0), y + half}, "axis");
  drawing.begin_group(verdict_class(comparison));
  if (const auto interval = finite_interval(comparison)) {
    draw_line(drawing, *interval, axis, y);
  }
  if (finite_change(comparison)) {
    draw_estimate(drawing, comparison, axis, y);
  } else if (grew_from_zero(comparison)) {
    draw_arrow(drawing, comparison.head->median > 0 ? axis.to : axis.from, y,
               comparison.head->median > 0);
  }
  drawing.end_group();
}

}  // namespace perf::reporter::svg
