#pragma once

#include <string>

#include "workloads/micro/layer_under_test.h"
#include "workloads/program/workload.h"

namespace perf::workloads {

/// What micro/{attention_layer,mlp_layer,full_layer} have in common: parameters, metrics, checks.
/// `run` is to call run_layer() with the same part.
Workload layer_workload(const std::string& name, const std::string& summary);
void run_layer(LayerPart part, const Settings& settings, perf_compare::StepEmitter& out);

/// Throws Error for more tokens than a product can count.
TrainingSetup layer_setup(LayerPart part, const Settings& settings);

}  // namespace perf::workloads
