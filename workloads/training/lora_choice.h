#pragma once

#include <string>
#include <vector>

#include "workloads/training/lora.h"

namespace perf::workloads {

/// "q", "k", "v", "o", "gate", "up", "down".
std::string name_of(Projection projection);

/// "q,v", in any order: which maps get adapters, in the order of Projection. Throws
/// std::invalid_argument, saying what is accepted, for anything else.
std::vector<Projection> lora_targets_from(const std::string& text);

/// "all", or layers and ranges of them, counted from 0: "0,3,8-11". One flag a layer of a model
/// that has `layers`; for "all" an empty list, as LoraOptions has it. Throws std::invalid_argument,
/// saying what is accepted, for anything else and for a layer past the last.
std::vector<bool> lora_layers_from(const std::string& text, int layers);

}  // namespace perf::workloads
