#pragma once

#include <vector>

#include "reporter/json/values.h"
#include "schema/trend.h"

namespace perf::reporter {

/// The findings of a series, as schema/json/trend.schema.json describes them.
Json change_points_json(const TrendReport& report, const std::vector<ChangePoint>& steps);
Json slope_json(const TrendReport& report, const TrendSeries& series);
Json noise_changes_json(const TrendReport& report, const TrendSeries& series);
Json drifts_json(const TrendReport& report, const std::vector<Drift>& drifts);
/// Every alert of the report as one flat list, those that are over included.
Json alerts_json(const TrendReport& report);
Json machine_events_json(const TrendReport& report);

/// What series and alerts say of which series they are: workload, params, metric, unit, better,
/// environment, anchor.
Json identity_json(const TrendSeries& series);

}  // namespace perf::reporter
