#pragma once

#include <set>
#include <string>

#include "analyzer/samples/standing.h"
#include "schema/policy.h"

namespace perf {

/// Throws UsageError when --metric names what no workload measures: as soon as every workload has
/// been measured once (or cannot be), and some invocation ended well. Until then any name may turn
/// up.
void require_named_metrics(const Standing& standing, const Policy& policy);

/// The same of metrics that were measured before: `there` are all of them. Where there is none, any
/// name goes.
void require_metrics_among(const std::set<std::string>& there, const Policy& policy);

}  // namespace perf
