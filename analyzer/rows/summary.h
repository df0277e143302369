#pragma once

#include <vector>

#include "schema/report.h"

namespace perf {

/// Counts of the judged comparisons by verdict, and the worst of them.
Summary summarize(const std::vector<Comparison>& rows);

/// Sorts the rows by workload, then metric: the order of a report.
void sort_rows(std::vector<Comparison>& rows);

}  // namespace perf
