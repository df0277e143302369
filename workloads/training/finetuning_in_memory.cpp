#include "workloads/training/finetuning_in_memory.h"

namespace perf::workloads {

namespace {

Ledger room_for(const TrainingSetup& setup, std::uint64_t seed) {
  Ledger counted;
  Finetuning::make(setup, seed, counted);
  return Ledger(counted);
}

}  // namespace

FinetuningInMemory::FinetuningInMemory(const TrainingSetup& setup, std::uint64_t seed,
                                       const ParameterSource* weights)
    : memory_(room_for(setup, seed)), model_(Finetuning::make(setup, seed, memory_, weights)) {}

}  // namespace perf::workloads
