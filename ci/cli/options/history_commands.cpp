#include "ci/cli/options/history_commands.h"

#include <string>
#include <string_view>
#include <vector>

#include "ci/cli/options/option_groups.h"
#include "schema/config/sizes.h"
#include "schema/formats/foreign.h"

namespace perf {

void add_collect(CLI::App& app, Options& options, OptionTexts& texts) {
  CLI::App* collect =
      app.add_subcommand("collect", "Measure a revision, or a range of history, and keep it");
  collect->add_option("REV", options.revision, "A revision (default HEAD), or a range A..B");
  collect->add_option("--every", texts.every, "Of a range: every Nth commit, counted from its end")
      ->type_name("N");
  collect->add_flag("--missing", options.missing, "Only what was not measured on this machine yet");
  collect
      ->add_option("--anchor", options.anchor,
                   "Measure in pairs with this baseline: such a series survives another machine")
      ->type_name("NAME");
  add_repository_options(*collect, options);
  add_workload_options(*collect, options);
  add_effort_options(*collect, texts);
  collect->get_option("--pairs")->description("Processes (pairs) of every workload (default 5)");
  collect->get_option("--pairs")->type_name("N");
  collect->footer(
      "Of a range, the first-parent line is measured, oldest first; with --missing only its gaps, "
      "so\n"
      "that the same command goes on where it was stopped. --budget is for all of it (default: "
      "10m\n"
      "for a revision, none for a range).\n"
      "Exit status: 0 measured; 2 asked wrongly; 3 could not measure; 130 or 143 interrupted.");
  add_page_options(*collect, options);
  add_progress_options(*collect, options);
}

void add_trend(CLI::App& app, Options& options, OptionTexts& texts) {
  CLI::App* trend = app.add_subcommand(
      "trend", "What moved along history, when, by which commit (from what was collected)");
  trend->add_option("REV", options.revision, "Where the history ends (default HEAD)");
  trend
      ->add_option("--since", options.since,
                   "Only what moved since a revision, a day (2026-01-31) or so long ago (30d)")
      ->type_name("WHEN");
  trend
      ->add_option("--fail-on", options.fail_on,
                   "Exit with 1 where there is something of this kind: new (alerts) or event (new\n"
                   "machine events in which something got worse); repeatable")
      ->check(CLI::IsMember({"new", "event"}))
      ->type_name("KIND")
      ->allow_extra_args(false);
  trend->add_flag("--confirm", options.confirm,
                  "Run the comparisons that tell whether new alerts and suspects are real");
  add_repository_options(*trend, options);
  add_workload_options(*trend, options);
  add_metric_option(*trend, options);
  add_policy_options(*trend, texts);
  add_effort_options(*trend, texts);
  trend->get_option("--metric")->description("Only this metric (repeatable)");
  trend->get_option("--threshold")
      ->description("Smaller steps are shown, and are no alerts (default: every step is one)");
  trend->get_option("--alpha")->description("Error rate of each comparison of --confirm");
  trend->get_option("--budget")->description("Time for measuring with --confirm (default 10m)");
  trend->footer(
      "Measures nothing without --confirm. An alert is new once, and known from then on.\n"
      "Exit status: 0; 1 --fail-on is met, or a comparison of --confirm regressed; 2 asked "
      "wrongly;\n"
      "3 could not be told; 130 or 143 interrupted.");
  add_output_options(*trend, options);
  add_progress_options(*trend, options);
}

void add_detect(CLI::App& app, Options& options) {
  CLI::App* detect = app.add_subcommand("detect", "Where do series measured elsewhere step?");
  detect
      ->add_option("FILE", options.file,
                   "Lines `name value value ...`, CSV `series,index,value`, or JSON {\"NAME\": "
                   "[value, ...]} (- is standard input)")
      ->required();
  detect
      ->add_option("--json", options.json, "Write the positions to FILE (default: standard output)")
      ->type_name("FILE");
  detect
      ->add_option_function<std::string>(
          "--scale",
          [&options](const std::string& scale) { options.linear_scale = scale == "linear"; },
          "log (default: changes are relative; what is not positive is a gap) or linear")
      ->check(CLI::IsMember({"log", "linear"}))
      ->type_name("SCALE");
  detect->footer(
      "Writes {\"SERIES\": [positions]}: for each series the 0-based positions of the first point\n"
      "after each change, gaps counted.\n"
      "Exit status: 0, whatever was found; 2 asked wrongly; 3 could not be written.");
}

void add_pins(CLI::App& app, Options& options) {
  CLI::App* pin = app.add_subcommand("pin", "Name a revision as a baseline");
  pin->add_option("NAME", options.name, "The baseline's name")->required();
  pin->add_option("REV", options.revision, "The revision (default HEAD)");
  pin->add_option("--reason", options.reason, "Why; kept in the store")->type_name("TEXT");
  add_repository_options(*pin, options);
  CLI::App* unpin =
      app.add_subcommand("unpin", "Forget a baseline (its history stays in the store)");
  unpin->add_option("NAME", options.name, "The baseline's name")->required();
  unpin->add_option("--reason", options.reason, "Why; kept in the store")->type_name("TEXT");
  add_repository_options(*unpin, options);
  CLI::App* pins = app.add_subcommand("pins", "List the baselines");
  pins->add_flag("--log", options.log, "Every pin and unpin there ever was, with its reason");
  add_config_option(*pins, options);
  add_repository_options(*pins, options);
  pin->footer("Exit status: 0 pinned; 2 asked wrongly; 3 the store failed.");
  unpin->footer(
      "Exit status: 0 forgotten; 2 asked wrongly, or no such baseline; 3 the store failed.");
  pins->footer(
      "Pins of the store, then the baselines of the config.\n"
      "Exit status: 0 listed, or there are none; 2 asked wrongly; 3 the store failed.");
}

void add_import(CLI::App& app, Options& options) {
  CLI::App* command =
      app.add_subcommand("import", "Keep what another benchmark tool measured as history");
  std::string formats;
  for (const std::string_view format : formats::foreign_formats()) {
    formats += (formats.empty() ? "" : ", ") + std::string(format);
  }
  // Refuses nothing: the command names the nearest one. The set is for shells to complete.
  const CLI::Validator known([](std::string&) { return std::string(); }, "{" + formats + "}");
  command->add_option("FORMAT", options.format, formats)->required()->check(known);
  command
      ->add_option("FILE", options.files,
                   "What the tool wrote (- is standard input; target/criterion and asv's "
                   "results/MACHINE may be folders)")
      ->required();
  command
      ->add_option("--rev", options.import_rev,
                   "The revision that was measured (default: what the file says)")
      ->type_name("REV");
  command
      ->add_option("--environment", options.environment,
                   "The machine it was measured on, by a name; . is this one (default: what the "
                   "file tells, else this one)")
      ->type_name("NAME");
  command
      ->add_option("--as", options.import_as,
                   "Keep the benchmarks as those of the workload NAME, in one series with what it "
                   "measures")
      ->type_name("NAME");
  command->add_option("--size", options.size, "smoke, ci (default) or full")
      ->check(CLI::IsMember(std::vector<std::string>(config::kSizes.begin(), config::kSizes.end())))
      ->type_name("SIZE");
  add_repository_options(*command, options);
  command->footer(
      "The same session of the same commit and machine is kept once, however often it is "
      "imported.\n"
      "Exit status: 0 imported, or there already; 2 asked wrongly, or nothing to import; 3 the "
      "store "
      "failed.");
}

void add_merge(CLI::App& app, Options& options) {
  CLI::App* merge = app.add_subcommand("merge", "Take in the runs of other stores (twice is once)");
  merge->add_option("DB", options.files, "Stores to take from; they are not changed")->required();
  add_repository_options(*merge, options);
  merge->footer(
      "Runs that are here already are known by their id; pins are named, and not taken.\n"
      "Exit status: 0 taken, or here already; 2 asked wrongly; 3 a store failed.");
}

void add_export(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("export", "Write a compact copy of the store");
  command->add_option("FILE", options.file, "A file that is not there yet")->required();
  add_repository_options(*command, options);
  command->footer("Exit status: 0 written; 2 asked wrongly; 3 it could not be written.");
}

void add_prune(CLI::App& app, Options& options, OptionTexts& texts) {
  CLI::App* prune = app.add_subcommand(
      "prune", "Take old raw steps out of the store; what follows from them stays");
  prune
      ->add_option("--keep-steps", texts.keep_steps,
                   "Raw steps younger than this stay (default 90d)")
      ->type_name("DURATION");
  prune->add_flag("--dry-run", options.dry_run, "Only say what would go");
  add_config_option(*prune, options);
  add_repository_options(*prune, options);
  prune->footer(
      "Never taken: what a pin needs, what lies beside a change point, and every summary.\n"
      "Exit status: 0 pruned, or nothing to take; 2 asked wrongly; 3 the store failed.");
}

}  // namespace perf
