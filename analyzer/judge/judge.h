#pragma once

#include <vector>

#include "schema/formats/judge_cases.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf {

/// Verdicts for samples measured elsewhere: one Comparison per case, in the order given (workload =
/// the case's name, metric = step_time). With policy.looks = 1 the number of pairs supplied was
/// fixed beforehand: one look, at all of them, the tails apart. Else looks are replayed in order
/// and the first decision stands; where the pairs supplied end before the last of them, one is
/// taken at their number; pairs beyond it are not used. Each case is a report of its own (m =
/// 1) unless `together` (m = number of cases). Below the first look: inconclusive, interval null.
std::vector<Comparison> judge(const std::vector<JudgeCase>& cases, const Policy& policy,
                              bool together);

}  // namespace perf
