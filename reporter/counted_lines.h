#pragma once

#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// What exact counts of instructions say where no row of the table of changes says it: a line for
/// each count that moved by less than its threshold, with what its time did, and one for those that
/// are the same at base and head. Nothing where nothing was counted.
std::vector<Prose> counted_lines(const Report& report);

}  // namespace perf::reporter
