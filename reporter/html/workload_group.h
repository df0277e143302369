#pragma once

#include <string>
#include <vector>

#include "schema/measured.h"
#include "schema/report.h"

namespace perf::reporter::html {

/// The comparisons of one workload with one set of parameters, and what was measured for them. It
/// points into the report and the measurements.
struct WorkloadGroup {
  std::string id;  ///< of its part of the page: "w1"
  std::vector<const Comparison*> comparisons;
  const MeasuredWorkload* measured = nullptr;  ///< null where nothing is known

  const std::string& workload() const { return comparisons.front()->workload; }
  const Params& params() const { return comparisons.front()->params; }
};

/// Every workload of the report, in the order of its first comparison.
std::vector<WorkloadGroup> workload_groups(const Report& report,
                                           const std::vector<MeasuredWorkload>& measured);

/// All there is to know of one workload, folded: its steps, pair differences and memory drawn, how
/// each metric was judged, both sides' statistics, phases, checks, remarks.
/// `is_open` unfolds them from the start.
std::string workload_details(const WorkloadGroup& group, const Report& report, bool is_open);

}  // namespace perf::reporter::html
