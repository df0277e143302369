#include "ci/cli/options/option_groups.h"

#include "schema/config/sizes.h"

namespace perf {

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
  command
      .add_option("--json", options.json, "Write the report as JSON to FILE (- is standard output)")
      ->type_name("FILE");
  command.add_option("--color", options.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
}

void add_markdown_option(CLI::App& command, Options& options) {
  command
      .add_option("--markdown", options.markdown,
                  "Write the report as Markdown to FILE (- is standard output)")
      ->type_name("FILE");
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
