#pragma once

#include "ci/cli/options/options.h"

namespace perf {

/// `perf-compare detect FILE`. Returns the exit code.
int detect_command(const Options& options);

}  // namespace perf
