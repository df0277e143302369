#pragma once

#include <string>
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

/// "warning: session drift: both sides moved by ...".
Prose warning_line(const Warning& warning);

/// "66.7 %": a share of the samples.
std::string share_text(double share);

/// The functions whose share of the time moved, the largest change first; empty where none is
/// known.
Prose functions_remark(const Comparison& comparison);

/// That where the code lies explains the change, or might; empty where nothing says so.
Prose layout_remark(const Comparison& comparison);

/// Takes out of the rows what many of them say alike, to be said once, with the number of rows.
std::vector<Prose> take_shared_remarks(std::vector<Row>& rows);

}  // namespace perf::reporter
