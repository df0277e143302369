#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/kernels/ledger.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// Products that the yardstick is taken from, on both sides of the steps, as the machine's rate
/// changes.
inline constexpr int kRateTimes = 5;

/// Adds the names of metrics or checks to others.
void append(std::vector<std::string>& names, const std::vector<std::string>& more);

/// What the process had in memory at most in a step (without steps: at all), less what its
/// yardsticks hold (program/roofline.h), which is no memory of the model's; at least the weights,
/// activations, keys and values that `memory` has counted.
std::size_t memory_without_yardsticks(const Ledger& memory, const perf_compare::StepEmitter& out,
                                      std::size_t yardsticks = 0);

/// weights_bytes, activations_bytes and kv_cache_bytes as `memory` has counted them, and
/// overhead_bytes: memory_without_yardsticks() less these three, so libraries and workspace.
std::vector<std::string> memory_metrics();
void report_memory(const Ledger& memory, perf_compare::StepEmitter& out,
                   std::size_t yardsticks = 0);

}  // namespace perf::workloads
