#pragma once

#include <cstddef>

#include "schema/trend.h"

namespace perf::samples {

/// A history as nights of measuring leave it: `count` series of `points` points with noise of their
/// own and a few outliers, steps of every state, a slope, two baselines, a machine event, and every
/// fifth series as it was on an older machine. The same every time.
TrendReport nights(std::size_t count, std::size_t points);

}  // namespace perf::samples
