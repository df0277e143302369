#include "schema/policy.h"

#include <algorithm>

#include "schema/text/glob.h"

namespace perf {
namespace {

bool is_excepted(const ThresholdRule& rule, const std::string& workload) {
  return std::any_of(rule.except.begin(), rule.except.end(), [&](const std::string& other) {
    return workload == other || workload.rfind(other + "/", 0) == 0;
  });
}

bool applies(const ThresholdRule& rule, const std::string& workload, const std::string& metric) {
  return (rule.workload_glob.empty() || glob_match(rule.workload_glob, workload)) &&
         (rule.metric.empty() || rule.metric == metric) && !is_excepted(rule, workload);
}

/// Workload and metric beats workload beats metric beats neither.
int specificity(const ThresholdRule& rule) {
  return (rule.workload_glob.empty() ? 0 : 2) + (rule.metric.empty() ? 0 : 1);
}

}  // namespace

double threshold_for(const Policy& policy, const std::string& workload, const std::string& metric) {
  if (policy.threshold_override) {
    return policy.threshold;
  }
  const ThresholdRule* best = nullptr;
  for (const ThresholdRule& rule : policy.thresholds) {
    if (!applies(rule, workload, metric)) {
      continue;
    }
    if (best == nullptr || specificity(rule) >= specificity(*best)) {
      best = &rule;
    }
  }
  return best == nullptr ? policy.threshold : best->threshold;
}

bool names_metric(const Policy& policy, const std::string& workload, const std::string& metric) {
  return std::ranges::any_of(policy.thresholds, [&](const ThresholdRule& rule) {
    return !rule.metric.empty() && applies(rule, workload, metric);
  });
}

}  // namespace perf
