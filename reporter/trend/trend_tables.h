#pragma once

#include <vector>

#include "reporter/document.h"
#include "reporter/trend/findings.h"
#include "reporter/trend/series_names.h"

namespace perf::reporter {

/// Every step, slope and drift beyond its threshold, with its state.
Table finding_table(const TrendReport& report, const std::vector<Finding>& findings,
                    const SeriesNames& names);

/// Every series: points, where it stands, its noise, the last 40 points.
Table series_table(const TrendReport& report, const SeriesNames& names);

/// The machines that the series are of, the baselines and the policy: fact, value.
Table trend_environment_table(const TrendReport& report);

}  // namespace perf::reporter
