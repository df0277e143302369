#pragma once

#include "reporter/document.h"
#include "schema/collection.h"

namespace perf::reporter {

/// What a person should see of what `collect` measured: of one revision its workloads in numbers,
/// of a range a line for each commit; what failed and why; and the command that goes on where
/// something is left. No verdicts: they need another revision beside it.
Document lay_out(const Collection& collection);

}  // namespace perf::reporter
