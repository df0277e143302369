#pragma once

#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "schema/plan.h"

namespace perf {

/// " --OPTION VALUE", quoted for a shell; empty where the value is.
std::string option_given(const std::string& option, const std::string& value);

/// The options that name the repository, the config and the store, where they were given; each
/// after a space, quoted for a shell.
std::string place_options(const Options& options);

/// These and the options that decide what is measured and how it is judged, each after a space,
/// quoted for a shell; where reports go does not, nor do size and seed, which a plan knows.
std::string deciding_options(const Options& options);

/// "perf-compare COMMAND" with these, and with the plan's size and seed.
std::string reproduce_command(const std::string& command, const Plan& plan, const Options& options);

/// The command lines that measure and judge the same again, quoted for a shell, for the end of a
/// report. `verb`: the command's name with a blank behind it; none: a comparison.
std::vector<std::string> reproduce_commands(const Plan& plan, const Options& options,
                                            const std::string& verb = {});

}  // namespace perf
