#pragma once

#include "reporter/document.h"
#include "schema/bisection.h"

namespace perf::reporter {

/// What a person should see of a bisection, before any output format: the first bad commit with the
/// evidence for it, the commits that were measured, those that could not be, and the comparison of
/// the step's neighbours as an ordinary report.
Document lay_out(const Bisection& bisection);

}  // namespace perf::reporter
