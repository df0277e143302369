#pragma once

#include <string>

#include "schema/history.h"
#include "schema/plan.h"
#include "schema/report.h"
#include "schema/store/store.h"

namespace perf {

/// A run as the store gives it back.
struct ReportOfRun {
  Report report;
  Plan plan;
  History history;
};

/// The report of a run, word for word as it was stored. The stored samples are analyzed again, by
/// the stored policy; where that says something else, and where raw steps were pruned, a warning
/// is added. Of a run without a report, what its processes say so far, as if it had been
/// interrupted, with a warning. Throws Error.
ReportOfRun report_of_run(const Store& store, const std::string& id);

}  // namespace perf
