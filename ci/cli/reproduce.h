#pragma once

#include <string>
#include <vector>

#include "schema/plan.h"

namespace perf {

/// The command lines that measure the same again, for the end of a report.
std::vector<std::string> reproduce_commands(const Plan& plan);

}  // namespace perf
