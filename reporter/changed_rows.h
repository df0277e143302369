#pragma once

#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// The comparisons a person should look at: judged ones that are not unchanged, and those with a
/// failing check; worst verdict first, within a verdict the largest change first.
std::vector<const Comparison*> changed_comparisons(const Report& report);

/// Their table, with remarks. A remark that many rows share is said once, below the table.
Section changed_section(const Report& report);

/// Every comparison, in the report's own order.
Table full_table(const Report& report);

/// The cells of one row: workload, metric, base, head, change, pairs, verdict.
Row comparison_row(const Comparison& comparison);

/// The titles of those cells.
std::vector<Column> comparison_columns();

}  // namespace perf::reporter
