#pragma once

#include <string>
#include <vector>

#include "workloads/step_emitter.h"

namespace perf::workloads {

/// Of a run whose series differ in both batch-size and seq-len, tokens a second as a grid: a row
/// for each batch, a column for each length. Nothing of other runs.
std::string sweep_table(const std::vector<perf_compare::StepEmitter>& series);

}  // namespace perf::workloads
