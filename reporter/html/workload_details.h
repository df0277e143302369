#pragma once

#include <string>

#include "reporter/html/workload_group.h"
#include "schema/report.h"

namespace perf::reporter::html {

/// All there is to know of one workload, folded: its steps, pair differences and memory drawn, how
/// each metric was judged, both sides' statistics, phases, checks, remarks.
/// `is_open` unfolds them from the start.
std::string workload_details(const WorkloadGroup& group, const Report& report, bool is_open);

}  // namespace perf::reporter::html
