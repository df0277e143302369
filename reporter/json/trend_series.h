#pragma once

#include <string>
#include <vector>

#include "reporter/json/values.h"
#include "schema/trend.h"

namespace perf::reporter {

/// The findings of a series, as schema/json/trend.schema.json describes them.
Json change_points_json(const TrendReport& report, const std::vector<ChangePoint>& steps);
Json slope_json(const TrendReport& report, const TrendSeries& series);
Json drifts_json(const TrendReport& report, const std::vector<Drift>& drifts);
/// Every alert of the report as one flat list, those that are over included.
Json alerts_json(const TrendReport& report);
Json machine_events_json(const TrendReport& report);

/// What series and alerts say of which series they are: workload, params, metric, unit, better,
/// environment, anchor.
Json identity_json(const TrendSeries& series);

/// Appends the members of an object, sorted, with one more that is JSON text already. Keys are our
/// own words. `between`: what separates members.
void append_members(std::string& text, const Json& object, const std::string& extra,
                    const std::string& extra_text, const char* between = ",");

/// The object ids of the report's commits, each as JSON text.
std::vector<std::string> quoted_oids(const TrendReport& report);

/// Appends one series as JSON, points and all, on one line. Written by hand, because a history has
/// a million points: through a tree of values they would take seconds and gigabytes.
void append_series(std::string& text, const TrendReport& report,
                   const std::vector<std::string>& oids, const TrendSeries& series);

}  // namespace perf::reporter
