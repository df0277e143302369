#pragma once

namespace perf {

/// 1 / the upper quartile of a standard normal: a normal's deviation per median distance.
inline constexpr double kNormalDeviations = 1.4826;

}  // namespace perf
