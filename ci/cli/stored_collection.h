#pragma once

#include "ci/cli/report_of_run.h"
#include "schema/collection.h"

namespace perf {

/// What `collect` said of one commit, made again from its run. How often each workload was wanted
/// is not stored: what was measured counts as enough.
Collection collection_of(const ReportOfRun& run);

}  // namespace perf
