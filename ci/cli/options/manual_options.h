#pragma once

#include <string>

#include "ci/cli/options/cli11.h"
#include "ci/cli/options/command_tree.h"

namespace perf {

/// What is asked of the command line about itself. These options stand alone, before anything else,
/// so that no name of a branch is taken for them.
struct ManualRequest {
  bool man = false;
  std::string shell;
};

void add_manual_options(CLI::App& app, ManualRequest& request);
bool is_manual_option(const std::string& argument);

/// The page or script that was asked for; empty where none was.
std::string requested_page(const ManualRequest& request, const CommandTree& tree);

}  // namespace perf
