#pragma once

#include <string>
#include <vector>

#include "workloads/program/parameter.h"
#include "workloads/training/training_setup.h"

namespace perf::workloads {

/// What a workload trains: the whole model, adapters beside a frozen one, or the adapters'
/// gradients without a step of the optimizer.
enum class Trained { model, adapters, gradients };

/// The parameters of such a workload.
std::vector<Parameter> finetuning_parameters(Trained trained);

/// Which adapters there are: rank, targets and layers.
std::vector<Parameter> lora_parameters();
/// What their values mean for a model of so many layers. Throws Error for a layer it has not.
LoraOptions lora_from(const Settings& settings, int layers);

/// What the values mean. Throws Error for values that do not go together.
TrainingSetup training_setup(Trained trained, const Settings& settings);

/// "full fine-tuning of qwen2.5-0.5b, 1 x 512 tokens, fp32, AdamW": for messages.
std::string described(const TrainingSetup& setup, const std::string& model);

}  // namespace perf::workloads
