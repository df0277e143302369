#pragma once

#include <string>

#include "ci/cli/options/command_tree.h"

namespace perf {

/// `perf-compare --help`: the five commands that people need first, the others in groups, the exit
/// codes. One screen of 80 columns.
std::string render_help(const CommandTree& tree);

/// `perf-compare COMMAND --help`, in 80 columns.
std::string render_command_help(const CommandTree& tree, const CommandEntry& command);

/// What each exit status says, of every command that states none of its own.
struct ExitStatus {
  std::string code, meaning;
};
const std::vector<ExitStatus>& exit_statuses();

}  // namespace perf
