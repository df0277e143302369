#pragma once

#include <cstddef>
#include <span>

namespace perf {

/// How much speaks against one mixture of modes on both sides of a step: twice the logarithm of the
/// likelihood of two shares of points beyond `middle`, one before and one after, over that of one
/// share for all (the G test of a 2 x 2 table: Wilks, Annals of Mathematical Statistics 9 (1938),
/// 60-62). Points at the middle count half. 0 where the share does not grow in the direction of the
/// step. `step` is within y.
double order_evidence(std::span<const double> y, std::size_t step, double middle, bool is_rise);

/// What it has to exceed in a series of `points`: 2 ln n + 2. A place and a length are chosen among
/// n: 2 ln n; of what is left, clean series of two modes exceed 2 in one of a hundred.
double least_order_evidence(std::size_t points);

}  // namespace perf
