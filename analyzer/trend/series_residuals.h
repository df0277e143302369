#pragma once

#include <vector>

#include "schema/trend.h"

namespace perf {

/// ln(value) of the points, oldest first; those that are not positive or not finite are left out.
std::vector<double> log_values(const TrendSeries& series);

/// The same less the median of their segment: what is left where the steps found are taken out.
std::vector<double> residuals(const TrendSeries& series);

}  // namespace perf
