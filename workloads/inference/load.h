#pragma once

#include "workloads/program/workload.h"

namespace perf::workloads {

/// inference/load: opens a checkpoint, packs its weights, and runs the first forward pass and a
/// second.
Workload inference_load();

}  // namespace perf::workloads
