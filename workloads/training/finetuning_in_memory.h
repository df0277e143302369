#pragma once

#include <cstdint>
#include <memory>

#include "workloads/training/finetuning.h"

namespace perf::workloads {

/// A training run and the memory it lives in: counted first, then taken at once.
class FinetuningInMemory {
 public:
  /// Throws what Finetuning::make throws, and std::bad_alloc.
  FinetuningInMemory(const TrainingSetup& setup, std::uint64_t seed,
                     const ParameterSource* weights = nullptr);
  FinetuningInMemory(const FinetuningInMemory&) = delete;
  FinetuningInMemory& operator=(const FinetuningInMemory&) = delete;

  Finetuning& model() { return *model_; }
  const Ledger& memory() const { return memory_; }

 private:
  Ledger memory_;
  std::unique_ptr<Finetuning> model_;  // uses the memory
};

}  // namespace perf::workloads
