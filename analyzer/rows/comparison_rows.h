#pragma once

#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf {

/// The rows of one workload, sorted by workload and metric: at least one, so that nothing planned
/// disappears from a report. Works at any moment of a run.
///
/// A series under test shows its decision with the statistics of the pairs behind it. What the
/// workload's failure left undecided becomes one row `failed`; where base failed or never was,
/// head's rows are `new`; what only base has is `missing`. Before the first pair is complete there
/// is one row, `inconclusive`. Rows that are not judged carry the change over all pairs with an
/// interval at the plain level policy.alpha, and no verdict.
std::vector<Comparison> comparison_rows(const WorkloadStanding& workload, const Standing& standing,
                                        const Policy& policy);

/// The row of a workload that only base's config has, and that was not run.
Comparison missing_row(const std::string& workload, const Policy& policy);

}  // namespace perf
