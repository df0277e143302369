#pragma once

#include <vector>

#include "schema/formats/judge_cases.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf {

/// Verdicts for samples measured elsewhere: one Comparison per case, in the order given (workload =
/// the case's name, metric = step_time). Looks are replayed in order and the first decision stands;
/// where the pairs supplied end before the sixth look, a last one is taken at their number; pairs
/// beyond the sixth are not looked at. Each case is a report of its own (m = 1) unless `together`
/// (m = number of cases). Below the first look: inconclusive, interval null.
std::vector<Comparison> judge(const std::vector<JudgeCase>& cases, const Policy& policy,
                              bool together);

}  // namespace perf
