#pragma once

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// A row per family and metric: "training/*", its metric, how many workloads, their geometric mean
/// with its interval. Empty where no family has two judged workloads.
Table family_table(const Report& report);

}  // namespace perf::reporter
