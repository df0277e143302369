#pragma once

#include "ci/cli/options/options.h"
#include "ci/cli/progress.h"
#include "collector/process/spawner.h"
#include "schema/trend.h"

namespace perf {

/// `trend --confirm`: runs the comparisons that tell whether new alerts, machine events and
/// suspects are real, the most urgent first, by the ordinary rule, within the policy's budget,
/// which those still to come share evenly. Each is a run of its own in the store. What they say
/// goes into the report; what could not be compared is a warning of it. Throws UsageError where
/// nothing can be measured here at all.
void confirm(const Options& options, Spawner& spawner, double budget, TrendReport& report);

}  // namespace perf
