#include "ci/cli/options/init_command.h"

#include "ci/cli/options/option_groups.h"

namespace perf {

void add_init(CLI::App& app, Options& options) {
  CLI::App* init =
      app.add_subcommand("init", "Look at this repository and write perf-compare.json for it");
  init->add_flag("--dry-run", options.dry_run, "Print the config, and write nothing");
  init->add_flag("--force", options.force, "Write over a config that is there already");
  init->add_option("-C,--repo", options.repo, "The repository to look at (default: this folder's)")
      ->type_name("DIR");
  init->add_option("--config", options.config,
                   "Write it to FILE (default: perf-compare.json at the top)")
      ->type_name("FILE");
  init->footer(
      "Knows CMake, Cargo, Go, Python and make, and finds Google Benchmark, criterion, Go and "
      "pytest-benchmark benchmarks and commands that hyperfine times. Files are read, nothing is "
      "run. What it could not find out stands in the config as a comment.\n"
      "Exit status: 0 written; 2 asked wrongly, or there is a config already; 3 the repository "
      "could not be read, or the file not be written.");
}

}  // namespace perf
