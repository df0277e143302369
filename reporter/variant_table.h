#pragma once

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// "with backend=eigen, threads=1": what one side of a comparison of settings was run with, of the
/// parameters that differ. Where rows differ in it, only what all have in common; empty where no
/// settings are compared.
Prose settings_phrase(const Report& report, Side side);

/// The settings of a varied parameter, each against the first: workload, setting, metric, base,
/// head, change, verdict. Of judged metrics; no rows where nothing was varied.
Table variant_table(const Report& report);

}  // namespace perf::reporter
