#pragma once

#include <string>
#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/report.h"

namespace perf {

/// Evaluates the config's targets on head's medians: `of`, or `of` / `over`. One that sets
/// parameters is evaluated on the side, of whatever comparison, that ran with them; one that does
/// not is not evaluated where settings are compared, because no side may be as configured. One on
/// instructions goes by what was counted, where something was. Value and met stay null where that
/// was not measured or the target speaks of another size.
std::vector<TargetResult> target_results(const std::vector<Target>& targets,
                                         const Standing& standing, const std::string& size);

/// Targets on a metric that their workload does not have, although it ran: misspelt, most likely.
std::vector<Warning> target_warnings(const std::vector<Target>& targets, const Standing& standing,
                                     const std::string& size);

}  // namespace perf
