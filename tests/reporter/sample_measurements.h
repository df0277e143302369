#pragma once

#include <vector>

#include "schema/measured.h"
#include "schema/report.h"

namespace perf::samples {

/// Raw measurements that fit a report: `pairs` pairs of processes a workload with warm-up and timed
/// steps around its medians, memory, a slow drift and a few stragglers, always the same; the
/// report's comparisons get the changes of these pairs.
std::vector<MeasuredWorkload> measure(Report& report, int pairs = 16, int steps = 10);

}  // namespace perf::samples
