#pragma once

#include <string>
#include <vector>

#include "ci/cli/options/command_tree.h"
#include "ci/cli/options/options.h"
#include "schema/error.h"

namespace perf {

/// What to try where arguments, a command's name in front, do not read: the option that was likely
/// meant by one that the command does not have, and where its options are listed.
std::string hint_for_arguments(const std::vector<std::string>& arguments);

/// The command, or `help`, that a name may have been meant for; empty where it is like none. A
/// revision may have the name all the same.
std::string likely_command(const std::string& name, const CommandTree& tree);

/// The error of a comparison that was asked wrongly; its hint begins with the command that BASE may
/// have been meant for.
UsageError with_likely_command(const UsageError& error, const Options& options);

}  // namespace perf
