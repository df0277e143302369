#pragma once

#include "analyzer/samples/standing.h"
#include "schema/policy.h"

namespace perf {

/// Throws UsageError when --metric names what no workload measures: as soon as every workload has
/// been measured once (or cannot be), and some invocation ended well. Until then any name may turn
/// up.
void require_named_metrics(const Standing& standing, const Policy& policy);

}  // namespace perf
