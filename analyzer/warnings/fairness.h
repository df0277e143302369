#pragma once

#include "analyzer/samples/workload_samples.h"
#include "schema/report.h"

namespace perf {

/// Where two settings of a workload are compared, all else has to be equal: adds a warning for each
/// parameter that was not set and differs, for each fact of the workload's own (BLAS, threads,
/// compiler, flags) that differs and that no set parameter names, and for a setting that both sides
/// ran without; and one where a step is not as many tokens on both sides. Which facts a parameter
/// names: accounts_for (same_work.h). What was set apart is noted with both values, and so are what
/// was asked for and what the program says it took, where they differ. By what the first
/// invocations of each side say; who says nothing is not doubted.
void add_fairness_warnings(const WorkloadSamples& samples, Comparison& row);

}  // namespace perf
