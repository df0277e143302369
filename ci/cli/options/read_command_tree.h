#pragma once

#include <string>

#include "ci/cli/options/cli11.h"
#include "ci/cli/options/command_tree.h"

namespace perf {

/// Reads the tree that CLI11 parses with.
CommandTree read_command_tree(const CLI::App& app, const std::string& version);

}  // namespace perf
