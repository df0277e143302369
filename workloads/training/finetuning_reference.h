#pragma once

#include <vector>

#include "workloads/training/decoder_reference.h"
#include "workloads/training/finetuning.h"

namespace perf::workloads {

// A model's values as the reference takes them.

inline std::vector<double> doubles(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

/// The adapters, or else all parameters.
inline std::vector<double> trained_values(const Finetuning& model) {
  return doubles(model.setup().trains_all() ? model.parameters() : model.adapters());
}

/// With the model's parameters as they are now, and its batch.
inline DecoderReference reference_of(const Finetuning& model) {
  return {model.setup(), doubles(model.parameters()), doubles(model.adapters()), model.tokens(),
          model.targets()};
}

}  // namespace perf::workloads
