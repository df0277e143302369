#pragma once

#include "schema/history.h"
#include "schema/run_view.h"

namespace perf {

/// What there is to show of a run: its processes, each with the sample it is for the analyzer.
RunView run_view(const ListedRun& run, const Plan& plan, const Policy& policy,
                 const History& history);

}  // namespace perf
