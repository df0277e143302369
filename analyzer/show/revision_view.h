#pragma once

#include <string>
#include <utility>
#include <vector>

#include "schema/recorded_history.h"
#include "schema/run_view.h"

namespace perf {

/// What was measured at one revision to compare or to collect, of each size: a series for each
/// workload, its parameters, metric and machine. `recorded`: the history of that commit alone, by size.
std::vector<ShownSeries> series_at_revision(
    const std::vector<std::pair<std::string, RecordedHistory>>& recorded);

}  // namespace perf
