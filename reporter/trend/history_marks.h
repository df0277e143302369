#pragma once

#include "reporter/trend/histories.h"
#include "reporter/trend/series_history.h"
#include "schema/trend.h"

namespace perf::reporter {

/// The change points of a series and its open suspects.
void add_marks(const Histories& histories, const TrendSeries& series, SeriesHistory& history);

}  // namespace perf::reporter
