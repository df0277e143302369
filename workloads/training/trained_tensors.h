#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/training/training_setup.h"

namespace perf::workloads {

/// A tensor among what is trained. Those of one kind differ in their layer alone.
struct TrainedTensor {
  std::string kind;  ///< "embedding", "attention_norm", "qkv", ...; of adapters "q.A", "q.B", ...
  std::size_t offset = 0, count = 0;
};

/// All of them, in the order of Finetuning::gradients().
std::vector<TrainedTensor> trained_tensors(const TrainingSetup& setup);

}  // namespace perf::workloads
