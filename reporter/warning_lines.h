#pragma once

#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// Warnings of the whole report, then those of rows that the table of changes does not show: each
/// said once, with the workloads it is about. What the session or the machine did differs from row
/// to row in its figures only, so that several rows share what stands before the colon ("session
/// drift (a, b, c)"); the full table has the figures. What the report warns of as a whole is not
/// said again of its rows.
std::vector<Prose> warning_lines(const Report& report);

}  // namespace perf::reporter
