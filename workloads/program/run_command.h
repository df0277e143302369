#pragma once

#include <map>
#include <string>

#include "workloads/program/workload.h"

namespace perf::workloads {

/// Runs a workload with command-line options, writes the protocol's lines where PERF_COMPARE_OUT
/// says, and returns what was measured. Throws Error for bad options.
perf_compare::StepEmitter run_workload(const Workload& workload,
                                       const std::map<std::string, std::string>& options);

}  // namespace perf::workloads
