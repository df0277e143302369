#pragma once

#include "ci/cli/options/options.h"

namespace perf {

/// `perf-compare judge FILE`. Returns the exit code.
int judge_command(const Options& options);

}  // namespace perf
