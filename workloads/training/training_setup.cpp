#include "workloads/training/training_setup.h"

namespace perf::workloads {

std::size_t TrainingSetup::trained_parameters() const {
  return trains_all() ? shape.parameters() : LoraLayout(shape, lora).parameters;
}

QkvRows qkv_rows(const TrainingSetup& setup) {
  const ModelShape& shape = setup.shape;
  return {.sequences = static_cast<std::size_t>(setup.batch),
          .length = static_cast<std::size_t>(setup.length),
          .heads = static_cast<std::size_t>(shape.heads),
          .kv_heads = static_cast<std::size_t>(shape.kv_heads),
          .size = static_cast<std::size_t>(shape.head_size)};
}

}  // namespace perf::workloads
