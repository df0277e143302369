#include "ci/cli/options/looking_commands.h"

#include "ci/cli/options/option_groups.h"

namespace perf {
namespace {

void add_glob_option(CLI::App& command, Options& options, const char* what) {
  command.add_option("-w,--workload", options.workloads, what)
      ->type_name("GLOB")
      ->allow_extra_args(false);
}

}  // namespace

void add_report(CLI::App& app, Options& options) {
  CLI::App* report = app.add_subcommand("report", "Show a stored comparison again, in any format");
  report->add_option("ID", options.run,
                     "A run, or the beginning of its id (default: the latest comparison)");
  add_repository_options(*report, options);
  add_strict_option(*report, options, "anything is inconclusive or missing");
  add_output_options(*report, options);
  report->add_flag("-q,--quiet", options.quiet, "Do not say which run it is");
  report->footer(
      "Measures nothing. The verdicts are those of then; with --db no repository is needed.\n"
      "Exit status: as the comparison had: 0 nothing regressed; 1 a regression, a missed target or "
      "a\n"
      "failed output check; 3 it could not measure; 4 inconclusive or missing (only with "
      "--strict); 2\n"
      "asked wrongly, or no such run.");
}

void add_list(CLI::App& app, Options& options) {
  CLI::App* list = app.add_subcommand("list", "What was measured: the runs of the store");
  list->add_option("--limit", options.limit, "Runs to show, newest first (default 20)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  add_glob_option(*list, options, "Only runs of workloads that match (repeatable)");
  add_repository_options(*list, options);
  add_json_options(*list, options);
  list->footer(
      "Exit status: 0 listed, or there are none; 2 asked wrongly; 3 there is no store, or "
      "it failed.");
}

void add_show(CLI::App& app, Options& options) {
  CLI::App* show = app.add_subcommand("show", "What the store knows of a run, or of a revision");
  show->add_option("ID|REV", options.run,
                   "A run, or the beginning of its id; else a revision (default: the latest run)");
  add_glob_option(*show, options, "Of a revision: only workloads that match (repeatable)");
  show->add_option("--metric", options.metrics, "Of a revision: only this metric (repeatable)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_repository_options(*show, options);
  add_json_options(*show, options);
  show->footer(
      "Exit status: 0 shown; 2 asked wrongly, or nothing has that name; 3 there is no "
      "store, or it\n"
      "failed.");
}

}  // namespace perf
