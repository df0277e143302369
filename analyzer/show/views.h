#pragma once

#include <string>
#include <utility>
#include <vector>

#include "schema/invocation.h"
#include "schema/recorded_history.h"
#include "schema/report.h"
#include "schema/run_view.h"

namespace perf {

/// What there is to show of a run: its processes, each with the sample it is for the analyzer.
RunView run_view(const ListedRun& run, const Plan& plan, const Policy& policy,
                 const Measurements& history);

/// What was measured at one revision to compare or to collect, of each size: a series for each
/// workload, its parameters, metric and machine. `recorded`: the history of that commit alone, by
/// size.
std::vector<ShownMetric> series_at_revision(
    const std::vector<std::pair<std::string, RecordedHistory>>& recorded);

/// Doubts about a stored report: a warning for each judged comparison whose verdict,
/// change or interval does not follow from the stored samples. `again`: the same run, analyzed
/// anew. Rows without pairs have nothing to follow from, but for what runs the same program.
std::vector<Warning> differences_from(const Report& stored, const Report& again);

}  // namespace perf
