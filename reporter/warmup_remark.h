#pragma once

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// "first step 41.2 ms, 2.3 times the steady 18 ms": what warming up is worth at head, where it is
/// much (half as long again, or a third shorter); else nothing.
Prose warmup_remark(const Comparison& comparison);

}  // namespace perf::reporter
