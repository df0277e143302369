#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "workloads/training/training_setup.h"

namespace perf::workloads {

/// What `perf-workloads memory-model MODEL --PARAM VALUE` prints: the memory that training takes,
/// for the ways of training that the options leave open. Nothing is allocated. An empty `model` is
/// the default one. Throws Error for bad options.
std::string memory_model_answer(const std::string& model,
                                const std::map<std::string, std::string>& options);

/// Which rows the table has: what is fixed was asked for.
struct MemoryModelRows {
  bool optimizer_fixed = false, checkpointing_fixed = false;
};

/// The table for a setup: `whole` trains the whole model, `adapters` LoRA. `available`: bytes of
/// the machine, 0 where it does not tell.
std::string memory_model_table(const std::string& model, const TrainingSetup& whole,
                               const TrainingSetup& adapters, const MemoryModelRows& rows,
                               int threads, std::size_t available);

}  // namespace perf::workloads
