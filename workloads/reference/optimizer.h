#pragma once

#include <vector>

#include "workloads/kernels/optimizer.h"

namespace perf::workloads {

/// What an optimizer remembers of each value: AdamW's mean and variance; the momentum, as first.
struct ReferenceStates {
  std::vector<double> first, second;
};

/// One step of the optimizer in double precision; `step` counts from 1, empty states are zeros. The
/// gradients bear no loss scale: options.gradient_scale is not applied.
void reference_optimize(const OptimizerOptions& options, int step, std::vector<double>& values,
                        const std::vector<double>& gradients, ReferenceStates& states);

}  // namespace perf::workloads
