#pragma once

#include <vector>

#include "schema/invocation.h"

namespace perf::store {

/// What stays of the timed steps of a block once they are pruned, its warm-up aside. The deviation
/// is that with n - 1, 0 of a single step; p90 is linear between order statistics (Hyndman & Fan
/// 1996, type 7).
/// Of at least one time, all above 0.
StepSummary summary_of(std::vector<double> seconds);

}  // namespace perf::store
