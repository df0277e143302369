#pragma once

#include <vector>

#include "schema/report.h"

namespace perf {

/// What can be said against a stored report: a warning for each judged comparison whose verdict,
/// change or interval does not follow from the stored samples. `again`: the same run, analyzed
/// anew. Rows without pairs have nothing to follow from.
std::vector<Warning> differences_from(const Report& stored, const Report& again);

}  // namespace perf
