#pragma once

#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/demand.h"
#include "schema/invocation.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf {

/// Timed steps of an invocation that is counted, without a warm-up: the first may prepare what the
/// others use.
inline constexpr int kCountedSteps = 2;

/// A count that moved by less moved by nothing: the paths of two checkouts differ, if not in
/// length.
inline constexpr double kCountMoved = 0.0005;

/// What is still to be counted: of each workload that both sides run, so many invocations a side as
/// the policy says. One that could not be counted, after being tried again, is given up.
std::vector<WorkloadDemand> wanted_counts(const Standing& standing);

/// Adds the row of what was counted to a workload's rows, or a warning why nothing was; nothing
/// where nothing was counted. A count that is the same in all invocations of a side, on both sides,
/// is compared exactly: it has no error, costs nothing of alpha, and its verdict is whether the
/// change reaches the metric's threshold. One that is not is shown with its spread, not judged;
/// where --metric asks for it, it is inconclusive.
void add_counted_row(const WorkloadStanding& workload, const Measurements& measurements,
                     const Policy& policy, std::vector<Comparison>& rows);

/// Says on a workload's step_time row where instructions moved and the time did not, and the
/// reverse. Instructions that were measured by the processor serve as well as counted ones.
void relate_counts_to_time(std::vector<Comparison>& rows);

}  // namespace perf
