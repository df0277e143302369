#pragma once

#include <vector>

#include "schema/invocation.h"
#include "schema/measured.h"
#include "schema/plan.h"

namespace perf {

/// The raw measurements behind a run's comparisons, for pictures: a record for each name that rows
/// bear, sorted by it, as analyze() names them (entries, and entry/child where invocations have
/// several blocks; what belongs to the whole process is the entry's). Only processes whose times
/// count: of pairs whose sides both ended well, and what head ran alone; never what was counted,
/// relinked, failed, or ran for a control arm. A verdict may go by fewer: the first
/// Comparison::pairs pairs of its workload. Steps keep their warm-up; they are gone where they were
/// pruned. Values are all but step_time.
std::vector<MeasuredWorkload> measured_workloads(const Plan& plan,
                                                 const Measurements& measurements);

}  // namespace perf
