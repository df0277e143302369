#include "ci/cli/options/comparison_commands.h"

#include "ci/cli/options/option_groups.h"

namespace perf {
namespace {

/// Beyond plain timing of two revisions.
void add_evidence_options(CLI::App& command, Options& options, OptionTexts& texts) {
  command.add_option("--base-set", texts.base_set, "Run base with this parameter (repeatable)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--head-set", texts.head_set, "Run head with this parameter (repeatable)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--vary", texts.vary, "Compare settings of one revision, each against the first")
      ->type_name("KEY=A,B,C");
  command.add_flag("--stored", options.stored,
                   "Measure nothing: judge what the store holds of the two revisions");
  command.add_flag("--control", options.control,
                   "Measure base against base as well: what this machine makes up");
  command.add_flag("--count", options.count, "Count instructions too: exact where timing is noisy");
  command.add_flag("--profile-changes", options.profile_changes,
                   "Name the functions behind a flagged change");
  command.add_flag("--git-bisect", options.git_bisect,
                   "Exit as `git bisect run` wants: 0 not regressed, 1 regressed, else 125");
}

}  // namespace

void add_compare(CLI::App& app, Options& options, OptionTexts& texts) {
  CLI::App* compare =
      app.add_subcommand("compare", "Is HEAD slower or hungrier than BASE? (the default command)");
  compare->add_option("BASE", options.base,
                      "Revision, pinned baseline, `.` (the working tree), `baseline`, or a JSON "
                      "report");
  compare->add_option("HEAD", options.head, "Revision, `.`, or a JSON report");
  add_repository_options(*compare, options);
  add_workload_options(*compare, options);
  add_metric_option(*compare, options);
  add_policy_options(*compare, texts);
  add_effort_options(*compare, texts);
  add_evidence_options(*compare, options, texts);
  add_strict_option(*compare, options, "anything is inconclusive or missing");
  add_output_options(*compare, options);
  add_progress_options(*compare, options);
}

void add_bisect(CLI::App& app, Options& options, OptionTexts& texts) {
  CLI::App* bisect =
      app.add_subcommand("bisect", "Which commit between GOOD and BAD made a workload slower?");
  bisect->add_option("GOOD", options.base, "A revision before the regression")->required();
  bisect->add_option("BAD", options.head, "A revision with the regression")->required();
  add_repository_options(*bisect, options);
  add_workload_options(*bisect, options);
  add_metric_option(*bisect, options);
  add_policy_options(*bisect, texts);
  add_effort_options(*bisect, texts);
  add_page_options(*bisect, options);
  add_progress_options(*bisect, options);
  bisect->get_option("--metric")->description("The metric to search by (default step_time)");
  bisect->get_option("--threshold")->description("The smallest step to search for (default 1%)");
  bisect->get_option("--budget")->description("Time for measuring, the whole search (default 10m)");
  bisect->footer(
      "Exactly one workload has to match -w. The same command goes on where it was stopped.\n"
      "Exit status: 1 a commit was found; 4 GOOD and BAD do not differ, or no commit is certain;\n"
      "2 asked wrongly; 3 could not measure, or the budget ended first; 130 or 143 interrupted.");
}

void add_judge(CLI::App& app, Options& options, OptionTexts& texts) {
  CLI::App* judge = app.add_subcommand("judge", "Verdicts for samples measured elsewhere");
  judge->add_option("FILE", options.file,
                    "JSON: {\"cases\": {NAME: {\"threshold\", \"base\", \"head\"}}}; or base's "
                    "benchmark output (- is standard input)");
  judge->add_option("HEAD_FILE", options.second_file,
                    "Head's output of a benchmark (docs/formats.md), or a JSON report");
  judge->add_option("--base", options.base_files, "One session of base (repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  judge->add_option("--head", options.head_files, "One session of head (repeatable)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  judge->add_flag("--together", options.together, "One error rate for all cases, not one each");
  add_metric_option(*judge, options);
  add_policy_options(*judge, texts);
  add_strict_option(*judge, options, "anything is inconclusive");
  judge->footer(
      "Exit status: 0 nothing regressed; 1 something did; 2 asked wrongly; 3 nothing to judge; 4\n"
      "inconclusive (only with --strict).");
  add_json_options(*judge, options);
  add_progress_options(*judge, options);
}

void add_calibrate(CLI::App& app, Options& options, OptionTexts& texts) {
  CLI::App* calibrate = app.add_subcommand(
      "calibrate", "How small a change can this machine see, how often would it lie?");
  calibrate->add_option("REV", options.revision, "What to measure against itself (default HEAD)");
  calibrate->add_flag("--show", options.show, "Show the last one of this machine");
  add_repository_options(*calibrate, options);
  add_workload_options(*calibrate, options);
  add_policy_options(*calibrate, texts);
  add_effort_options(*calibrate, texts);
  calibrate->get_option("--pairs")->description("Pairs of every workload (default 32)");
  calibrate->get_option("--pairs")->type_name("N");
  calibrate->footer(
      "Exit status: 0 measured, whatever was found; 2 asked wrongly; 3 could not measure; 130 or "
      "143 "
      "interrupted.");
  add_page_options(*calibrate, options);
  add_progress_options(*calibrate, options);
}

void add_selftest(CLI::App& app, Options& options, OptionTexts& texts) {
  CLI::App* selftest = app.add_subcommand(
      "selftest", "Prove that the gate can fail: plant a slowdown and an allocation");
  selftest->add_option("REV", options.revision, "What to plant them in (default HEAD)");
  add_repository_options(*selftest, options);
  add_workload_options(*selftest, options);
  add_policy_options(*selftest, texts);
  add_effort_options(*selftest, texts);
  add_json_options(*selftest, options);
  add_progress_options(*selftest, options);
  selftest->get_option("--size")->description("smoke (default), ci or full");
  selftest->get_option("--budget")
      ->description("Time for measuring, all three arms together (default 5m)");
  selftest->footer(
      "Measures every workload of the size (choose with -w) against itself: as it is, with a "
      "slowdown and with\n"
      "an allocation of 1.5 times the threshold.\n"
      "Exit status: 0 both were caught, and nothing else was called a change; 1 something was "
      "missed, or made up;\n"
      "2 asked wrongly; 3 something could not be planted or measured; 130 or 143 interrupted.");
}

void add_doctor(CLI::App& app, Options& options) {
  CLI::App* doctor =
      app.add_subcommand("doctor", "What on this machine makes timings noisy, and what to do");
  add_repository_options(*doctor, options);
  add_strict_option(*doctor, options, "something bad was found");
  doctor->footer(
      "Exit status: 0 looked; 2 asked wrongly; 3 could not look; 4 something bad was found (only "
      "with "
      "--strict).");
  add_json_options(*doctor, options);
  doctor->add_flag("-v,--verbose", options.verbose, "Also show what is good or unknown");
}

void add_profile(CLI::App& app, Options& options, OptionTexts& texts) {
  CLI::App* profile =
      app.add_subcommand("profile", "Where a workload spends its time; of two, what moved");
  profile->add_option("REV", options.revision, "The revision (default HEAD)");
  profile->add_option("REV2", options.second_revision, "Compare with this one");
  add_repository_options(*profile, options);
  add_workload_options(*profile, options);
  profile->footer(
      "Exit status: 0 profiled; 2 asked wrongly; 3 could not measure; 130 or 143 interrupted.");
  profile->add_option("--seed", texts.seed, "Seed of the workload")->type_name("N");
  add_json_options(*profile, options);
  add_progress_options(*profile, options);
}

}  // namespace perf
