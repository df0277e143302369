#pragma once

#include "workloads/program/workload.h"

namespace perf::workloads {

/// Sequences generated side by side: the weights are read once for all of them, so that a token
/// costs less the more there are, until arithmetic costs as much as memory.
Workload inference_batched();

}  // namespace perf::workloads
