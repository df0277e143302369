#pragma once

#include <vector>

#include "reporter/document.h"
#include "reporter/trend/findings.h"
#include "reporter/trend/series_names.h"

namespace perf::reporter {

/// New alerts, the largest first: a row each, below it the commit or the range, the points around
/// it, the noise on both sides, what else changed there and how to make sure. What is beyond the
/// first dozen is counted, and in the folded table of all findings.
Section new_alert_section(const TrendReport& report, const std::vector<Finding>& findings,
                          const SeriesNames& names);

/// Alerts that were shown before: those that stand, a line each with the day they were first
/// shown, then those that are over or were refuted.
Section known_alert_section(const TrendReport& report, const std::vector<Finding>& findings,
                            const SeriesNames& names);

}  // namespace perf::reporter
