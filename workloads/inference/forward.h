#pragma once

#include <cstdint>
#include <vector>

#include "workloads/decoder/decoder_setup.h"
#include "workloads/model/parameter_source.h"
#include "workloads/program/workload.h"

namespace perf::workloads {

/// One pass over whole sequences from an empty cache, for each batch size and each length asked
/// for: what reading a prompt costs, in time and in memory.
Workload inference_forward();

/// What the parameters of one series mean. Throws Error for values that do not go together.
DecoderSetup forward_setup(const Settings& settings, const ParameterSource& source);
/// The tokens (B,L) of every step.
std::vector<int> forward_tokens(const DecoderSetup& setup, std::uint64_t seed);

}  // namespace perf::workloads
