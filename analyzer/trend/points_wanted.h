#pragma once

#include <cstddef>

namespace perf {

/// How many points a series must have before a step of a relative size four points from its end is
/// found four times in five, in independent normal noise of this relative standard deviation: the
/// detector itself is asked, with a fixed seed. 0: not within 100 points.
std::size_t points_wanted(double noise, double change);

}  // namespace perf
