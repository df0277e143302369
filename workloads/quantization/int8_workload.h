#pragma once

#include "workloads/program/workload.h"

namespace perf::workloads {

/// quantization/int8: a whole model to int8, one scale a channel.
Workload quantization_int8();

}  // namespace perf::workloads
