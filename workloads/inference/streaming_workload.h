#pragma once

#include "workloads/program/workload.h"

namespace perf::workloads {

/// The same text generated twice in each step, in alternating order: a reader gets it token by
/// token, as it comes, and in one piece at the end.
Workload inference_streaming();

}  // namespace perf::workloads
