#pragma once

#include <vector>

#include "reporter/document.h"
#include "reporter/trend/findings.h"
#include "reporter/trend/series_names.h"
#include "schema/trend.h"

namespace perf::reporter {

/// Where many series of a machine moved together, new ones first, then newest first: when, how
/// many, how far, which, what of the machine changed there, and the command that tells machine from
/// commit.
std::vector<Prose> machine_event_lines(const TrendReport& report,
                                       const std::vector<Finding>& findings,
                                       const SeriesNames& names);

/// "3 of 4 series of machine 1f2e3d4c moved together, median +30 %, at 3f2a9c01d2e4 Use a map".
Prose machine_event_phrase(const TrendReport& report, const MachineEvent& event);

}  // namespace perf::reporter
