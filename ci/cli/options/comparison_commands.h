#pragma once

#include "ci/cli/options/cli11.h"
#include "ci/cli/options/option_values.h"
#include "ci/cli/options/options.h"

namespace perf {

/// The commands that measure or judge two revisions, and what is known of the machine.
void add_compare(CLI::App& app, Options& options, OptionTexts& texts);
void add_bisect(CLI::App& app, Options& options, OptionTexts& texts);
void add_selftest(CLI::App& app, Options& options, OptionTexts& texts);
void add_calibrate(CLI::App& app, Options& options, OptionTexts& texts);
void add_doctor(CLI::App& app, Options& options);
void add_profile(CLI::App& app, Options& options, OptionTexts& texts);
void add_judge(CLI::App& app, Options& options, OptionTexts& texts);

}  // namespace perf
