#pragma once

#include "workloads/inference/decoder.h"
#include "workloads/model/checkpoint.h"

namespace perf::workloads {

/// The worst error of what a decoder has stored of a checkpoint, against the file's own bytes,
/// taken value by value and rounded as the weight type's formula says; relative to the largest of a
/// tensor's values that were looked at: all of a vector, of a matrix the first, the last and some
/// rows between.
double loaded_weights_error(const Decoder& decoder, const Checkpoint& checkpoint);

}  // namespace perf::workloads
