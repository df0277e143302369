#pragma once

#include "ci/cli/options/cli11.h"
#include "ci/cli/options/options.h"

namespace perf {

/// The commands that look around in the store, and measure nothing.
void add_report(CLI::App& app, Options& options);
void add_list(CLI::App& app, Options& options);
void add_show(CLI::App& app, Options& options);

}  // namespace perf
