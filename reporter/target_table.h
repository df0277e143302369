#pragma once

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// "NAME is 1.80x, wanted at least 2x".
Prose target_phrase(const TargetResult& result, const Report& report);

/// A row per target: name, value at head, bound, status: met, missed, not measured. Values are in the unit of the
/// metric, as a comparison of the same workload tells it; ratios are written "2.4x".
Table target_table(const Report& report);

}  // namespace perf::reporter
