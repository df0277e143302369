#pragma once

#include <vector>

#include "workloads/kernels/quantize.h"
#include "workloads/program/parameter.h"
#include "workloads/quantization/synthetic_model.h"

namespace perf::workloads {

/// What every quantization workload takes; the groups that are usual differ by type.
std::vector<Parameter> quantization_parameters(CodeType type);

/// Throws Error for settings that do not go together: a checkpoint beside a synthetic model's
/// settings, and those of streaming without it.
void require_consistent(const Settings& settings);

Scheme scheme_from(CodeType type, const Settings& settings);
/// The named model, but for the parts that are set apart from it.
SyntheticShape synthetic_shape_from(const Settings& settings);
/// On the environment line, where it is not what `model` says: shape_name(), or the checkpoint.
void describe_model(const Settings& settings, perf_compare::StepEmitter& out);
bool is_streaming(const Settings& settings);

}  // namespace perf::workloads
