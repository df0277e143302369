#pragma once

#include <cstdint>

#include "workloads/decoder/decoder_setup.h"

namespace perf::workloads {

/// Seconds of one forward pass that makes one token, with few tokens before it: median of five.
/// Loads the model for it, from the seed, and lets it go. Throws Error where the machine has not as
/// much memory.
double measured_decode_time(const DecoderSetup& setup, std::uint64_t seed);

}  // namespace perf::workloads
