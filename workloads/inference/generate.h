#pragma once

#include "workloads/inference/generation.h"
#include "workloads/model/parameter_source.h"
#include "workloads/program/workload.h"

namespace perf::workloads {

/// Generates text token by token over a KV cache; a step is one generation.
Workload inference_generate();
/// The same tokens, each from a forward pass over all tokens so far.
Workload inference_generate_nocache();

/// What the parameters of either mean. Throws Error for values that do not go together.
GenerationSetup generation_setup(const Settings& settings, const ParameterSource& source,
                                 bool cached);
/// The decoder that such a generation needs.
DecoderSetup generating_setup(const Settings& settings, const ParameterSource& source,
                              const GenerationSetup& generation);

}  // namespace perf::workloads
