#pragma once

#include "reporter/trend/histories.h"
#include "reporter/trend/series_history.h"
#include "schema/trend.h"

namespace perf::reporter {

/// The levels between change points, as the medians of the points shown, up to the slope at the
/// end.
void add_levels(const Histories& histories, const TrendSeries& series, SeriesHistory& history);

}  // namespace perf::reporter
