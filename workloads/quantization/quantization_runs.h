#pragma once

#include "workloads/kernels/quantize.h"
#include "workloads/program/parameter.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// A run of a quantization workload in either mode: steps, metrics, checks. Throw Error for
/// settings that cannot be met: a checkpoint that cannot be read, no memory, no room on the disk.
void run_in_memory(const Scheme& scheme, const Settings& settings, perf_compare::StepEmitter& out);
void run_streaming(const Scheme& scheme, const Settings& settings, perf_compare::StepEmitter& out);

}  // namespace perf::workloads
