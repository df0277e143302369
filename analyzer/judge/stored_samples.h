#pragma once

#include <string>

#include "schema/history.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/sample_set.h"
#include "schema/workload.h"

namespace perf {

/// What a stored run holds of a workload at a revision, as one session: one value an invocation
/// (for times the median of its timed steps) of every metric, in start order. Invocations of either
/// side count, if they ran with the workload's parameters, ended well, and were timed as they were
/// asked for. Empty of series where there is none.
SampleSet stored_samples(const Plan& plan, const History& history, const Workload& workload,
                         const std::string& oid, const Policy& policy);

}  // namespace perf
