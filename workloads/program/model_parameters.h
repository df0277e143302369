#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "workloads/model/parameter_source.h"
#include "workloads/program/parameter.h"

namespace perf::workloads {

inline constexpr int kMostLayers = 1024;
inline constexpr std::int64_t kMostTokens = 1 << 24;  ///< of a call: BLAS counts in 32 bits

/// `model`: a named shape.
Parameter model_parameter();

/// What may be set apart from the named shape: layers, widths, heads, vocabulary; 0 is the model's
/// own.
std::vector<Parameter> shape_parameters();

/// The shape that these settings mean. Throws Error for values that do not go together.
ModelShape shape_from(const Settings& settings);

/// What it is called: "micro", or "micro with layers 1, heads 2" where parts of it were set apart.
/// Of a checkpoint, "checkpoint".
std::string shape_name(const Settings& settings);
/// The same of any settings with a `model`, whose own values are `values`, by name.
std::string shape_name(const Settings& settings,
                       const std::vector<std::pair<const char*, int>>& values);

/// `checkpoint`: a file or folder in place of the named model and the seed.
Parameter checkpoint_parameter();
/// Where the parameters come from: the checkpoint, where one is named, else the seed. Throws Error
/// for a checkpoint that cannot be read, and for one named beside a model or a part of its shape.
std::unique_ptr<ParameterSource> parameter_source(const Settings& settings, std::uint64_t seed);

}  // namespace perf::workloads
