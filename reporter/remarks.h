#pragma once

#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// What there is to say about a changed row: the phases that carry it, its memory, how its pairs
/// went, how many more it would take.
std::vector<Prose> measured_remarks(const Comparison& comparison, const Report& report);

/// The same for an output that draws the pairs: without how they went.
std::vector<Prose> undrawn_remarks(const Comparison& comparison, const Report& report);

/// Its notes and warnings, as the analyzer worded them.
std::vector<Prose> worded_remarks(const Comparison& comparison);

/// A check that failed: which, where and by how much.
Prose check_remark(const CheckResult& check);

}  // namespace perf::reporter
