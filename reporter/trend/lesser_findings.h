#pragma once

#include <string>
#include <vector>

#include "reporter/document.h"
#include "reporter/trend/findings.h"
#include "reporter/trend/series_names.h"

namespace perf::reporter {

/// What is no alert, newest first and a few of each kind: improvements, suspects with the command
/// that would tell, slopes, steps for the worse that are too small or of metrics that nobody
/// judges, and where the series stand against each baseline.
/// `in_full` is where the reader finds the rest of them.
std::vector<Prose> lesser_finding_lines(const TrendReport& report,
                                        const std::vector<Finding>& findings,
                                        const SeriesNames& names, const std::string& in_full);

}  // namespace perf::reporter
