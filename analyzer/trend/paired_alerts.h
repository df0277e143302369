#pragma once

#include "schema/trend.h"

namespace perf {

/// One regression is one new alert. Where a series paired with a baseline and the machine's own
/// series of that workload and metric step within 3 measured commits of each other in one
/// direction, the paired one tells, because it is excused from what the machine did; the other is
/// none, and its facts say so. Known alerts stay, and a paired one beside them is none. Wants the
/// states of single series given.
void fold_paired_alerts(TrendReport& report);

}  // namespace perf
