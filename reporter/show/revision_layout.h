#pragma once

#include "reporter/document.h"
#include "schema/run_view.h"

namespace perf::reporter {

/// What the store knows of one revision, for a person: what was measured there, of each workload
/// the median over all its processes, and the runs that did it.
Document lay_out(const RevisionView& view);

}  // namespace perf::reporter
