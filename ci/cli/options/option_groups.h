#pragma once

#include <string>

#include "ci/cli/options/cli11.h"
#include "ci/cli/options/option_values.h"
#include "ci/cli/options/options.h"

namespace perf {

/// Options that several commands share, spelled and explained once.
void add_repository_options(CLI::App& command, Options& options);
void add_json_options(CLI::App& command, Options& options);
/// --json and --color, then Markdown, HTML and what GitHub Actions shows of it.
void add_page_options(CLI::App& command, Options& options);
/// Every format of a comparison or a history.
void add_output_options(CLI::App& command, Options& options);
void add_progress_options(CLI::App& command, Options& options);
/// `what`: where --strict exits with 4.
void add_strict_option(CLI::App& command, Options& options, const std::string& what);
void add_config_option(CLI::App& command, Options& options);
/// Which workloads of which config, at which size.
void add_workload_options(CLI::App& command, Options& options);
void add_metric_option(CLI::App& command, Options& options);
void add_policy_options(CLI::App& command, OptionTexts& texts);
void add_effort_options(CLI::App& command, OptionTexts& texts);

}  // namespace perf
