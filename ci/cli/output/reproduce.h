#pragma once

#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "schema/plan.h"

namespace perf {

/// The options that name the repository, the config and the store, if they were given; each after a
/// space, quoted for a shell.
std::string place_options(const Options& options);

/// These and all others that decide what is measured and how it is judged (option_table.cpp), but
/// not size and seed, which a plan contains.
std::string deciding_options(const Options& options);

/// "perf-compare COMMAND" with these, and with the plan's size and seed.
std::string reproduce_command(const std::string& command, const Plan& plan, const Options& options);

/// The command lines that reproduce a report. `verb`: the command's name and a blank; empty for a
/// comparison.
std::vector<std::string> reproduce_commands(const Plan& plan, const Options& options,
                                            const std::string& verb = {});

}  // namespace perf
