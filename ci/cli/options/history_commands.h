#pragma once

#include "ci/cli/options/cli11.h"
#include "ci/cli/options/option_values.h"
#include "ci/cli/options/options.h"

namespace perf {

/// The commands of a history: what is measured night by night, what it says, and its keeping.
void add_collect(CLI::App& app, Options& options, OptionTexts& texts);
void add_trend(CLI::App& app, Options& options, OptionTexts& texts);
void add_detect(CLI::App& app, Options& options);
void add_pins(CLI::App& app, Options& options);
void add_import(CLI::App& app, Options& options);
void add_merge(CLI::App& app, Options& options);
void add_export(CLI::App& app, Options& options);
void add_prune(CLI::App& app, Options& options, OptionTexts& texts);

}  // namespace perf
