#pragma once

#include <optional>
#include <string>

#include "workloads/program/workload.h"
#include "workloads/training/finetuning_parameters.h"

namespace perf::workloads {

/// Trains all parameters of a decoder.
Workload training_full_finetune();
/// Trains low-rank adapters beside a frozen decoder.
Workload training_lora_finetune();
/// The adapters' gradients alone: no optimizer.
Workload training_gradient();

/// What a workload of that name trains; nothing if it is none of these.
std::optional<Trained> trained_by(const std::string& workload);

}  // namespace perf::workloads
