#pragma once

#include <vector>

#include "workloads/model/model_shape.h"
#include "workloads/program/parameter.h"

namespace perf::workloads {

inline constexpr int kMostLayers = 1024;

/// `model`: a named shape.
Parameter model_parameter();

/// What may be set apart from the named shape: layers, widths, heads, vocabulary; 0 is the model's
/// own.
std::vector<Parameter> shape_parameters();

/// The shape that these settings mean. Throws Error for values that do not go together.
ModelShape shape_from(const Settings& settings);

}  // namespace perf::workloads
