#pragma once

#include "schema/plan.h"

namespace perf {

/// Gives every workload of a comparison its control arm: base against base, as `NAME/control`, or
/// `NAME/control-2`, ... where the plan has that name. They stand behind all workloads. Nothing
/// where there is no base.
void add_control_arms(Plan& plan);

}  // namespace perf
