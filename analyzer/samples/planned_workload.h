#pragma once

#include <cstddef>
#include <optional>

#include "schema/plan.h"
#include "schema/report.h"

namespace perf {

/// Index in the plan of the workload that a report's row belongs to. Rows of several series are
/// called entry/child, and a workload may bear such a name as well: the longest name wins. Control
/// arms are nobody's workload. Nothing where the plan has none.
std::optional<std::size_t> workload_of(const Comparison& row, const Plan& plan);

}  // namespace perf
