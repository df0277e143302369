#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ci/cli/options/command_tree.h"

namespace perf {

/// The title of the five commands that people need first.
inline constexpr std::string_view kFirstCommands = "First";

/// Commands that belong together, in the order in which people are shown them.
struct CommandGroup {
  std::string title;
  std::vector<CommandEntry> commands;
};

/// What people need first, and after it every other command. The first group is the five commands
/// that lead from a repository without a config to a history; one that no group knows stands in the
/// last, "Other commands", so that none is ever left out.
std::vector<CommandGroup> command_groups(const CommandTree& tree);

/// Options of one command that belong together.
struct OptionGroup {
  std::string title;
  std::vector<OptionEntry> options;
};

/// The options of a command by what they are about: what is measured, how it is judged, where the
/// report goes, and the rest.
std::vector<OptionGroup> option_groups(const CommandEntry& command);

}  // namespace perf
