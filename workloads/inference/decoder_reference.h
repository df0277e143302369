#pragma once

#include <vector>

#include "workloads/inference/decoder.h"

namespace perf::workloads {

/// The logits (vocabulary) after `tokens`, from the decoder's weights, in double precision and
/// plain loops, without a cache: every position of every layer is computed anew.
std::vector<double> reference_logits(const Decoder& decoder, const std::vector<int>& tokens);

}  // namespace perf::workloads
