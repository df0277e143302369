#pragma once

#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf {

/// What a reader should know before believing a row: noisy sides, too few pairs, a metric that some
/// pairs lack, sides that ran with different parameters, what the session did to the pairs of a
/// judged row (session_warnings.h; `judged` rows share the error rate of warnings).
void add_series_warnings(const MetricStanding& one, const WorkloadStanding& workload,
                         const Policy& policy, int judged, Comparison& row);

/// What concerns a workload as a whole, on its step_time row (else its first): pairs run again,
/// base given up, a machine that got in the way (machine_warnings.h), and what the workload said of
/// itself differently on the two sides: a warning where it can change a timing (BLAS core, threads,
/// flags; not where two settings are compared on purpose), else a note.
void add_workload_warnings(const WorkloadStanding& workload, const Policy& policy,
                           std::vector<Comparison>& rows);

}  // namespace perf
