#pragma once

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// A row per workload that reports sizes and quality: what a step takes, how large the result is
/// and how good, all at head. Empty where no workload does.
Table trade_off_table(const Report& report);

}  // namespace perf::reporter
