#include "analyzer/samples/named_metrics.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "schema/error.h"
#include "schema/nearest_name.h"

namespace perf {
namespace {

bool may_still_show_metrics(const WorkloadStanding& workload) {
  return workload.samples.fate == Fate::alone && workload.samples.head.empty();
}

}  // namespace

void require_named_metrics(const Standing& standing, const Policy& policy) {
  if (policy.metrics.empty() || !standing.frozen ||
      std::any_of(standing.workloads.begin(), standing.workloads.end(), may_still_show_metrics)) {
    return;
  }
  std::set<std::string> there;
  for (const WorkloadStanding& workload : standing.workloads) {
    for (const SeriesStanding& one : workload.series) {
      there.insert(one.series.metric.name);
    }
  }
  if (policy.count) {
    there.insert(kInstructions.name);
  }
  require_metrics_among(there, policy);
}

void require_metrics_among(const std::set<std::string>& there, const Policy& policy) {
  for (const std::string& wanted : policy.metrics) {
    if (!there.empty() && there.count(wanted) == 0) {
      throw UsageError("no workload measures the metric '" + wanted + "'", "--metric " + wanted,
                       instead_of(wanted, {there.begin(), there.end()}));
    }
  }
}

}  // namespace perf
