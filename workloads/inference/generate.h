#pragma once

#include "workloads/program/workload.h"

namespace perf::workloads {

/// inference/generate: a prompt, then new tokens one by one through a KV cache.
Workload inference_generate();

}  // namespace perf::workloads
