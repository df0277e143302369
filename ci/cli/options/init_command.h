#pragma once

#include "ci/cli/options/cli11.h"
#include "ci/cli/options/options.h"

namespace perf {

void add_init(CLI::App& app, Options& options);

}  // namespace perf
