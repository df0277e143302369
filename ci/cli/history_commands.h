#pragma once

#include <CLI/CLI.hpp>

#include "ci/cli/options.h"

namespace perf {

/// The commands of a history.
void add_pins(CLI::App& app, Options& options);

}  // namespace perf
