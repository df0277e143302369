#pragma once

#include <vector>

#include "workloads/decoder/decoder.h"
#include "workloads/model/checkpoint.h"

namespace perf::workloads {

/// The worst error of what a decoder has stored of a checkpoint, against the file's own bytes,
/// taken value by value and rounded as the weight type's formula says; relative to the largest of a
/// tensor's values that were looked at: all of a vector, of a matrix the first, the last and some
/// rows between.
double loaded_weights_error(const Decoder& decoder, const Checkpoint& checkpoint);

/// The logits (B,V) after a prompt, tokens (B,L), of what a decoder has stored against those after
/// it has loaded `source`, which it then holds; relative to the largest.
double source_error(Decoder& decoder, const std::vector<int>& prompt,
                    const ParameterSource& source);

/// For source_error(): the same code over the same values, which threads may add in another order.
inline constexpr double kSameLogits = 1e-5;

}  // namespace perf::workloads
