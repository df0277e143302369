#pragma once

#include <vector>

#include "analyzer/trend/series_findings.h"
#include "analyzer/trend/trend_series.h"
#include "schema/trend.h"

namespace perf {

/// Where a tenth of the series of one machine, of three workloads (entry and parameters) at least,
/// move in one direction at the same time: within 3 of its measured commits, or within a week by
/// committer time that holds no more than 7 of them. Each such change point gets the event's index.
/// Series of metrics that are not judged are not counted, but follow.
///
/// Anchored series are of no machine. Where those of the same workloads step there as well, it is
/// the commit, and no event. Wants the series searched; oldest first.
std::vector<MachineEvent> find_machine_events(std::vector<MeasuredSeries>& series,
                                              const SearchedLine& line);

}  // namespace perf
