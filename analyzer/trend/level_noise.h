#pragma once

#include "schema/trend.h"

namespace perf {

/// What the level of a few neighbours errs by, in units of one point, relative: the noise from
/// point to point s or the long-run noise LR, whichever is more. Unlike the detector's LR
/// (NoiseLevels::long_run) it is not raised by the drift that the level is asked about.
///
/// Of means of blocks of m neighbours it takes the second differences, in which a straight line
/// leaves nothing: 1.4826 median|b1 - 2 b2 + b3| sqrt(m/6), the largest over m = 2, 4, 8,
/// min(16, n/6), 24 and 32, six blocks or more in the series, all positions. That once of the
/// series, once of what the steps found in it leave: the lesser of the two, and at most the
/// detector's LR. Of points that are positive; wants the series searched.
double level_noise(const TrendSeries& series);

}  // namespace perf
