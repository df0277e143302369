#pragma once

#include <cstddef>
#include <span>

namespace perf {

/// How much speaks against one mixture of modes on both sides of a step: the larger of two chi
/// squares of one degree of freedom. Both are 0 where the values do not go in the direction of the
/// step, which is within y.
/// - Twice the logarithm of the likelihood of two shares of points beyond `middle`, one before and
///   one after, over that of one share for all (the G test of a 2 x 2 table: Wilks, Annals of
///   Mathematical Statistics 9 (1938), 60-62). Points at the middle count half.
/// - The square of Wilcoxon's rank sum in its standard errors (Biometrics Bulletin 1, 1945). It
///   tells more where the noise hides the middle, and is asked where the first is not `enough`.
double order_evidence(std::span<const double> y, std::size_t step, double middle, bool is_rise,
                      double enough);

/// What it has to exceed in a series of `points`: 2 ln n + 2. A place and a length are chosen among
/// n: 2 ln n; of what is left, clean series of two modes exceed 2 in one of a hundred.
double least_order_evidence(std::size_t points);

}  // namespace perf
