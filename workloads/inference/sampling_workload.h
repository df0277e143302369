#pragma once

#include "workloads/inference/sampling.h"
#include "workloads/program/workload.h"

namespace perf::workloads {

/// Draws tokens from logits that are there already, by each way of sampling and from each
/// vocabulary: a series each.
Workload inference_sampling();

/// What the parameters of one series mean.
SamplingSetup sampling_setup(const Settings& settings);

}  // namespace perf::workloads
