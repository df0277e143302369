#pragma once

#include "reporter/svg/axis.h"
#include "reporter/svg/drawing.h"
#include "schema/report.h"

namespace perf::reporter::svg {

/// One comparison on one line: its threshold band, no change at all, its interval and estimate,
/// within y +- half. What lies beyond the axis is an arrow at that end; from zero to something lies
/// beyond any.
void draw_interval(Drawing& drawing, const Comparison& comparison, const Axis& axis, double y,
                   double half);

}  // namespace perf::reporter::svg
