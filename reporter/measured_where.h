#pragma once

#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// Base and head, a line each: short oid, subject, the name asked for and the rule that led to it,
/// and where two settings are compared, which this side has.
std::vector<Prose> revision_lines(const Report& report);

/// Whether both sides ran in one environment, and which: processor, cores, memory, BLAS, threads.
Prose environment_line(const Report& report);

/// Every recorded fact of the machine, the image, the workloads and the policy: fact, value.
Table environment_table(const Report& report);

}  // namespace perf::reporter
