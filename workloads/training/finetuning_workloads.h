#pragma once

#include "workloads/program/workload.h"

namespace perf::workloads {

/// Trains all parameters of a decoder.
Workload training_full_finetune();
/// Trains low-rank adapters beside a frozen decoder.
Workload training_lora_finetune();
/// The adapters' gradients alone: no optimizer.
Workload training_gradient();

}  // namespace perf::workloads
