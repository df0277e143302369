#pragma once

#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// The report in a few sentences, the most important first: the verdict with its worst case, and
/// whatever else decides the exit code (a wrong output, a missed target) or the trust in it
/// (interrupted, out of budget).
std::vector<Prose> headline(const Report& report);

/// Bad where a regression, a failure, a wrong output or a missed target was found; unsettled where
/// something could not be decided.
Mood mood_of(const Report& report);

}  // namespace perf::reporter
