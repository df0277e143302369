#pragma once

#include <string>
#include <vector>

#include "ci/cli/options.h"
#include "schema/plan.h"

namespace perf {

/// The command lines that measure and judge the same again, quoted for a shell, for the end of a
/// report.
std::vector<std::string> reproduce_commands(const Plan& plan, const Options& options);

}  // namespace perf
