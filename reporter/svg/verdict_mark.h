#pragma once

#include <optional>
#include <string>

#include "reporter/svg/drawing.h"
#include "schema/report.h"

namespace perf::reporter::svg {

/// The class that colours a comparison: its verdict's word, or "unjudged".
std::string verdict_class(const Comparison& comparison);

/// The mark of its estimate, so that the verdict is told without colour: regressed a square,
/// improved a diamond, unchanged a disc, undecided a ring, unjudged a small disc.
void draw_verdict_mark(Drawing& drawing, const Comparison& comparison, Point center);

/// The interval and whether there is a change, where their numbers can be drawn.
std::optional<Interval> finite_interval(const Comparison& comparison);
bool finite_change(const Comparison& comparison);

}  // namespace perf::reporter::svg
