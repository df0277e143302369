#pragma once

#include "ci/cli/options/cli11.h"
#include "ci/cli/options/options.h"

namespace perf {

/// The commands of a history.
void add_pins(CLI::App& app, Options& options);

}  // namespace perf
