#pragma once

#include <string>
#include <vector>

#include "reporter/html/workload_group.h"
#include "reporter/svg/axis.h"
#include "schema/report.h"

namespace perf::reporter::html {

/// What changed: the rows of `changed_section`, each with its interval against its threshold and a
/// link to its details. Empty where nothing did.
std::string changed_html(const Report& report, const std::vector<WorkloadGroup>& groups,
                         const svg::Axis& axis);

/// Every comparison, to be sorted by any column and filtered by name and verdict.
std::string everything_html(const Report& report, const std::vector<WorkloadGroup>& groups,
                            const svg::Axis& axis);

}  // namespace perf::reporter::html
