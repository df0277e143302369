#pragma once

#include <vector>

#include "analyzer/series.h"
#include "schema/report.h"

namespace perf {

/// The checks of a series' blocks, by name: passed where every invocation of a side passed it.
std::vector<CheckResult> check_results(const Series& series);

/// A check fails at head, and base did not fail it: "faster but wrong", exit code 1.
bool is_new_failure(const CheckResult& check);

/// Whether any comparison of a report has such a check.
bool has_new_check_failure(const Report& report);

}  // namespace perf
