#pragma once

#include "reporter/document.h"
#include "schema/trend.h"

namespace perf::reporter {

/// What a person should see of a history, before any output format: what is new, each alert with
/// its commit, its noise and the command that would make sure; machine events; what was known, is
/// over or got better; suspects, slopes and drifts; counts of the rest with the measured rate of
/// false alarms; and folded: the comparisons that were run, all findings, all series.
Document lay_out(const TrendReport& report);

/// The same for an output that draws the new alerts and all series itself: without their tables.
Document lay_out_around_pictures(const TrendReport& report);

}  // namespace perf::reporter
