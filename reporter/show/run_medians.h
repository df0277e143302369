#pragma once

#include "reporter/document.h"
#include "schema/run_view.h"

namespace perf::reporter {

/// A row a workload: the medians of both sides over its processes. Empty where there are none.
Section run_medians(const RunView& view);

}  // namespace perf::reporter
