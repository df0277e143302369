#pragma once

#include "reporter/document.h"
#include "schema/run_list.h"

namespace perf::reporter {

/// What a person should see of a list of runs: a row each, and how many there are.
Document lay_out(const RunList& list);

}  // namespace perf::reporter
