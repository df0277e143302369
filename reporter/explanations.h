#pragma once

#include <string>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// "66.7 %": a share of the samples.
std::string share_text(double share);

/// The functions whose share of the time moved, the largest change first; empty where none is
/// known.
Prose functions_remark(const Comparison& comparison);

/// That where the code lies explains the change, or might; empty where nothing says so.
Prose layout_remark(const Comparison& comparison);

}  // namespace perf::reporter
