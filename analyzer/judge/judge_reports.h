#pragma once

#include <vector>

#include "schema/policy.h"
#include "schema/report.h"
#include "schema/sample_set.h"

namespace perf {

/// The report of two sides that are report files, or one of them and what a store holds of the
/// other revision: a report holds no samples, so that every row is at most inconclusive, with the
/// change of medians shown. The revisions, the environment and what analyze() leaves to the caller
/// are the caller's. Throws UsageError where --metric names
/// what neither side measures.
Report judge_reports(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                     const Policy& policy);

}  // namespace perf
