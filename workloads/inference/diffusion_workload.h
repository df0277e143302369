#pragma once

#include "workloads/inference/diffusion.h"
#include "workloads/program/workload.h"

namespace perf::workloads {

/// Generates text by masked diffusion; a step is one text.
Workload inference_diffusion_generate();

/// What its parameters mean. Throws Error for values that do not go together.
DiffusionSetup diffusion_setup(const Settings& settings);

}  // namespace perf::workloads
