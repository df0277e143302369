#pragma once

#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/report.h"

namespace perf {

/// What the control arms say: base against base, judged as their workloads are, over all the pairs
/// they have. In the plan's order.
std::vector<ControlResult> control_results(const Standing& standing);

/// Says on each row what its control arm saw: "control_alarm" where base against itself would have
/// been called changed, else "control_shift" where its interval excludes zero.
void add_control_warnings(const std::vector<ControlResult>& controls,
                          std::vector<Comparison>& rows);

}  // namespace perf
