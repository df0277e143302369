#pragma once

#include "workloads/program/workload.h"

namespace perf::workloads {

/// training/mlp_stack: forward, loss, backward and AdamW over a stack of transformer MLPs.
Workload training_mlp_stack();

}  // namespace perf::workloads
