#pragma once

#include <optional>

#include "analyzer/samples/standing.h"
#include "schema/demand.h"
#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/policy.h"

namespace perf {

/// What is still wanted before the next decision; nothing when every comparison is decided, the
/// last look is taken, the budget has ended or the run was interrupted. Where instructions are to
/// be counted, that comes last, whatever is left of the budget. Where the budget cannot bring every
/// workload to its next look, those nearest to a verdict are served (serving.h). Pure: no clock, no
/// disk.
/// Throws UsageError when policy.max_pairs cannot reach the first look, as soon as m is known,
/// and when policy.metrics names a metric that no workload turned out to have.
std::optional<Demand> next(const Standing& standing);

inline std::optional<Demand> next(const Plan& plan, const Measurements& measurements,
                                  const Policy& policy) {
  return next(standing_of(plan, measurements, policy));
}

}  // namespace perf
