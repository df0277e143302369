#pragma once

#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf {

/// What a reader should know before believing a row: noisy sides, too few pairs, a metric that some
/// pairs lack, sides that ran with different parameters.
void add_series_warnings(const SeriesStanding& one, const WorkloadSamples& samples,
                         const Policy& policy, Comparison& row);

/// What concerns a workload as a whole, on its step_time row (else its first): pairs run again,
/// base given up, and as a note what the workload said of itself differently on the two sides (BLAS
/// core, threads, flags).
void add_workload_warnings(const WorkloadStanding& workload, std::vector<Comparison>& rows);

}  // namespace perf
