#pragma once

#include <cstddef>
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

/// What there is to say of an alert: where it happened, what else changed there, which comparison
/// bore it out or how to make sure.
std::vector<Prose> alert_remarks(const TrendReport& report, const Finding& finding);

/// How many new alerts are shown one by one.
constexpr std::size_t kShownAlerts = 12;

/// Alerts that were shown before: those that stand, a line each with the day they were first
/// shown, then those that are over or were refuted.
Section known_alert_section(const TrendReport& report, const std::vector<Finding>& findings,
                            const SeriesNames& names);

}  // namespace perf::reporter
