#pragma once

#include "reporter/document.h"
#include "schema/run_view.h"

namespace perf::reporter {

/// What the store knows of one run, for a person: where and how it was measured, what was planned,
/// the medians, and a row for each of the first and last processes and each that failed, with its
/// failure and the end of what it printed below it.
Document lay_out(const RunView& view);

}  // namespace perf::reporter
