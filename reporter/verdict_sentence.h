#pragma once

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// The summary's verdict with the worst case and its interval, and counts of what else is not
/// unchanged: "Regressed: training/mlp_stack is slower: step_time 412 ms -> 471 ms, +14.3 % [...]".
Prose verdict_sentence(const Report& report);

}  // namespace perf::reporter
