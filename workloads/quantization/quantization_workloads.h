#pragma once

#include "workloads/program/workload.h"

namespace perf::workloads {

/// quantization/int8, int4, int2, nf4: a whole model's weights to this type, in memory or from file
/// to file.
Workload quantization_int8();
Workload quantization_int4();
Workload quantization_int2();
Workload quantization_nf4();

}  // namespace perf::workloads
