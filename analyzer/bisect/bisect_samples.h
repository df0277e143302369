#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schema/history.h"
#include "schema/metric.h"
#include "schema/plan.h"
#include "schema/policy.h"

namespace perf {

/// What a run of one workload, a commit (head) against GOOD (base), says to a bisection.
struct BisectSamples {
  std::vector<double> differences;  ///< ln(head/base) by pair; positive = worse
  std::optional<Metric> metric;     ///< as it was measured; absent before the first pair
  int steps = 0;                    ///< timed steps that an invocation should take
  std::string head_failed;          ///< why the commit cannot be measured; empty when it can
  std::string base_failed;          ///< why GOOD cannot be measured; empty when it can
};

/// Reads a run by the rules of an ordinary comparison (which pairs count, when a side has failed).
/// The metric is the one that policy.metrics names. Throws UsageError where the workload does not
/// have it, or has it for several series.
BisectSamples bisect_samples(const Plan& plan, const History& history, const Policy& policy);

}  // namespace perf
