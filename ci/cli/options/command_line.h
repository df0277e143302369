#pragma once

#include <string>
#include <vector>

#include "ci/cli/options/options.h"

namespace perf {

/// Reads the arguments after the program's name. Throws UsageError for what it does not know.
/// `BASE HEAD` alone means `compare BASE HEAD`; nothing at all means `compare baseline HEAD`.
Options parse_command_line(const std::vector<std::string>& arguments);

}  // namespace perf
