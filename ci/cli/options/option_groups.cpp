#include "ci/cli/options/option_groups.h"

#include <string_view>

#include "ci/cli/output_formats.h"
#include "schema/config/sizes.h"

namespace perf {
namespace {

void add_file_option(CLI::App& command, Options& options, std::string_view option) {
  for (const OutputFormat& format : kOutputFormats) {
    if (format.option == option) {
      command
          .add_option(format.option, options.*format.file,
                      std::string("Write the report as ") + format.title +
                          " to FILE (- is standard output)")
          ->type_name("FILE");
    }
  }
}

}  // namespace

void add_repository_options(CLI::App& command, Options& options) {
  command
      .add_option("-C,--repo", options.repo, "The repository to work on (default: this folder's)")
      ->type_name("DIR");
  command
      .add_option("--db", options.db,
                  "The store (default: .perf-compare/results.db in the repository)")
      ->type_name("FILE");
}

void add_json_options(CLI::App& command, Options& options) {
  add_file_option(command, options, "--json");
  command.add_option("--color", options.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
}

void add_page_options(CLI::App& command, Options& options) {
  add_file_option(command, options, "--markdown");
  add_file_option(command, options, "--html");
  add_json_options(command, options);
  command.add_flag("--github", options.github, "Add the report to the summary of a GitHub job");
}

void add_output_options(CLI::App& command, Options& options) {
  add_page_options(command, options);
  add_file_option(command, options, "--junit");
  add_file_option(command, options, "--openmetrics");
  command
      .add_option("--plots", options.plots,
                  "Write every picture of the HTML page to the folder DIR, as SVG")
      ->type_name("DIR");
  command.get_option("--github")
      ->description("Tell GitHub Actions: a summary, annotations, outputs of the step");
}

void add_progress_options(CLI::App& command, Options& options) {
  command.add_flag("-q,--quiet", options.quiet, "No progress on standard error");
  command.add_flag("-v,--verbose", options.verbose, "Also say how every process went");
}

void add_strict_option(CLI::App& command, Options& options, const std::string& what) {
  command.add_flag("--strict", options.strict, "Exit with 4 where " + what);
}

void add_config_option(CLI::App& command, Options& options) {
  command.add_option("--config", options.config, "Config to use (default: perf-compare.json)")
      ->type_name("FILE");
}

void add_workload_options(CLI::App& command, Options& options) {
  add_config_option(command, options);
  command
      .add_option("-w,--workload", options.workloads,
                  "Only workloads that match (repeatable; * matches / too)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command.add_option("--size", options.size, "smoke, ci (default) or full")
      ->check(CLI::IsMember(std::vector<std::string>(config::kSizes.begin(), config::kSizes.end())))
      ->type_name("SIZE");
}

void add_metric_option(CLI::App& command, Options& options) {
  command.add_option("--metric", options.metrics, "Only this metric, judged (repeatable)")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

void add_policy_options(CLI::App& command, OptionTexts& texts) {
  command
      .add_option("--threshold", texts.threshold,
                  "The change that matters, for every metric (default 10%)")
      ->type_name("PERCENT");
  command.add_option("--alpha", texts.alpha, "Error rate of the whole report (default 1%)")
      ->type_name("PERCENT");
}

void add_effort_options(CLI::App& command, OptionTexts& texts) {
  command
      .add_option("--budget", texts.budget, "Time for measuring, builds not counted (default 10m)")
      ->type_name("DURATION");
  command.add_option("--pairs", texts.pairs, "Pairs of processes per workload: MAX or MIN:MAX")
      ->type_name("[MIN:]MAX");
  command
      .add_option("--seed", texts.seed,
                  "Seed of order, padding and workloads (default: random, reported)")
      ->type_name("N");
}

}  // namespace perf
