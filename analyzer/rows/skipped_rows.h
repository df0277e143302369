#pragma once

#include <optional>
#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf {

/// Adds to the rows of a workload what was skipped beside other benchmarks of its command:
/// `missing` where no side has a value, with the reason. What base alone has becomes `failed` at
/// head, what head alone has stays `new`. Of all that are missing one warning tells, with the
/// filter that leaves them out where the format has one.
std::optional<Warning> add_skipped_rows(const WorkloadStanding& workload, const Policy& policy,
                                        std::vector<Comparison>& rows);

}  // namespace perf
