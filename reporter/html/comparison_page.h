#pragma once

#include <string>
#include <vector>

#include "reporter/document.h"
#include "schema/measured.h"
#include "schema/report.h"

namespace perf::reporter::html {

/// The body of a comparison's page, in the order of its document (reporter/layout.h), which every
/// report has; what changed with its intervals, and every comparison and workload in full.
std::string comparison_body(const Document& document, const Report& report,
                            const std::vector<MeasuredWorkload>& measured);

}  // namespace perf::reporter::html
