#pragma once

#include <string_view>
#include <vector>

#include "workloads/program/workload.h"

namespace perf::workloads {

/// All workloads, sorted by name.
const std::vector<Workload>& workloads();

/// Throws Error naming the nearest name if there is none.
const Workload& workload_named(std::string_view name);

}  // namespace perf::workloads
