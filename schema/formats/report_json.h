#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/revision.h"
#include "schema/sample_set.h"

namespace perf::formats {

/// What a report file holds about its head.
struct ReportFile {
  Revision head;
  std::string size;  ///< smoke, ci or full
  /// One for each machine that measured. One series a comparison, with head's statistics in place
  /// of values: a report holds no samples.
  std::vector<SampleSet> sessions;
};

/// Reads what `--json` wrote, now (schema/json/report.schema.json) or as version 1; fields it does
/// not know are skipped, as are rows without head; a workload with a row that failed is one of the
/// failures, and has no series. Throws UsageError with file:line:column for anything else: another
/// "schema", no head, a row without workload, metric or direction, statistics that are not finite,
/// duplicate rows.
ReportFile read_report_json(std::string_view text, const std::string& filename);

}  // namespace perf::formats
