#pragma once

#include <map>
#include <string>

#include "workloads/program/workload.h"

namespace perf::workloads {

/// `trace`: takes a workload's steps untimed (options as for `run`; --steps of them) and writes
/// what another implementation's numbers can be held against, as a safetensors file, all F32. Of an
/// inference workload what inference_answers.h says, of a training
///     losses (steps)           of each step, in nats a token
/// and of the first step
///     layer.N (rows,H)         what goes into layer N; N = layers: what comes out of the last
///     logit_rows (n), logits (n,V)   of some rows of the batch
///     gradients (trained)      in the order of ModelLayout, or of LoraLayout
/// and after the last
///     trained (trained)        the parameters, or the adapters
/// The last two are left out where they are more than kMostTraced values. A file that
/// exists is replaced where the options have `force`.
/// Returns what to tell the user. Throws Error for a workload of another kind.
std::string trace_answer(const Workload& workload, const std::string& file,
                         const std::map<std::string, std::string>& options);

inline constexpr std::size_t kMostTraced = std::size_t{1} << 25;

}  // namespace perf::workloads
