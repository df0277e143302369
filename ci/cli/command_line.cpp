#include "ci/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "ci/cli/option_values.h"
#include "schema/config/sizes.h"
#include "schema/error.h"

namespace perf {
namespace {

constexpr std::array<std::pair<std::string_view, Command>, 10> kCommands{{
    {"compare", Command::compare},
    {"bisect", Command::bisect},
    {"judge", Command::judge},
    {"pin", Command::pin},
    {"unpin", Command::unpin},
    {"pins", Command::pins},
    {"calibrate", Command::calibrate},
    {"selftest", Command::selftest},
    {"doctor", Command::doctor},
    {"profile", Command::profile},
}};

/// Names that the command line has promised to commands still to come. A branch called so is
/// reached through `compare` today, so that nobody's CI job changes its meaning tomorrow.
constexpr std::array<std::string_view, 11> kReserved{"collect", "trend", "report", "detect",
                                                     "import",  "merge", "export", "init",
                                                     "list",    "show",  "prune"};

/// Options that stand alone; every other one is followed by its value.
constexpr std::array<std::string_view, 15> kFlags{
    "--strict", "--together", "--stored", "--control", "--count", "--profile-changes",
    "-q",       "--quiet",    "-v",       "--verbose", "-h",      "--git-bisect",
    "--help",   "--version",  "--show"};

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_command(std::string_view name) {
  return std::any_of(kCommands.begin(), kCommands.end(),
                     [name](const auto& command) { return command.first == name; });
}

/// Index of the first argument that is neither an option nor an option's value; size if none.
std::size_t first_positional(const std::vector<std::string>& arguments) {
  std::size_t i = 0;
  while (i < arguments.size()) {
    const std::string& argument = arguments[i];
    if (argument == "--")
      return i + 1;
    if (argument.size() < 2 || argument[0] != '-')
      return i;
    const bool is_long = argument[1] == '-';
    const bool has_value =
        argument.find('=') != std::string::npos || (!is_long && argument.size() > 2);
    i += contains(kFlags, argument) || has_value ? 1 : 2;
  }
  return arguments.size();
}

/// The same arguments with the command's name in front, whatever stood before it.
std::vector<std::string> with_command(std::vector<std::string> arguments) {
  if (std::find(arguments.begin(), arguments.end(), "--version") != arguments.end())
    return {"--version"};
  const std::size_t at = first_positional(arguments);
  if (at < arguments.size() && is_command(arguments[at])) {
    std::rotate(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(at),
                arguments.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    return arguments;
  }
  if (at < arguments.size() && contains(kReserved, arguments[at]))
    throw UsageError(
        "this version has no such command", arguments[at],
        "for a revision of that name: perf-compare compare " + arguments[at] + " HEAD");
  if (arguments.size() == 1 && (arguments[0] == "-h" || arguments[0] == "--help"))
    return {"--help"};
  arguments.insert(arguments.begin(), "compare");
  return arguments;
}

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

/// Which workloads of which config, at which size.
void add_workload_options(CLI::App& command, Options& options) {
  command.add_option("--config", options.config, "Config to use (default: perf-compare.json)")
      ->type_name("FILE");
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
  add_markdown_option(*compare, options);
  add_json_options(*compare, options);
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
  add_markdown_option(*bisect, options);
  add_json_options(*bisect, options);
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
                    "Head's benchmark output: Go text, Google Benchmark JSON, or a JSON report");
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
  add_repository_options(*pins, options);
}

void add_calibrate(CLI::App& app, Options& options, OptionTexts& texts) {
  CLI::App* calibrate = app.add_subcommand(
      "calibrate", "How small a change can this machine see, and how often would it lie? (A/A)");
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
  add_markdown_option(*calibrate, options);
  add_json_options(*calibrate, options);
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

constexpr const char* kDescription =
    "Tells whether a commit made a program slower or hungrier, by how much, and with a known error "
    "rate.\n"
    "\n"
    "  perf-compare                  compare HEAD with its baseline (the merge base with the main "
    "branch)\n"
    "  perf-compare v1.2 HEAD        compare two revisions\n"
    "  perf-compare HEAD .           compare HEAD with the working tree as it is\n"
    "  perf-compare pin release v1.2 name a baseline, then: perf-compare release HEAD\n"
    "  perf-compare bisect v1.2 HEAD -w NAME   which commit made a workload slower\n"
    "  perf-compare selftest         prove that the gate can fail, before trusting it";

constexpr const char* kFooter =
    "Options of a comparison: perf-compare compare --help.\n\n"
    "Exit status: 0 nothing regressed; 1 a regression, a missed target or a failed output check; 2 "
    "asked wrongly;\n"
    "3 could not measure; 4 inconclusive or missing (only with --strict); 130 or 143 interrupted.";

Command command_named(std::string_view name) {
  return std::find_if(kCommands.begin(), kCommands.end(),
                      [name](const auto& command) { return command.first == name; })
      ->second;
}

}  // namespace

Options parse_command_line(const std::vector<std::string>& arguments) {
  Options options;
  OptionTexts texts;
  CLI::App app{kDescription, "perf-compare"};
  app.set_version_flag("--version", std::string("perf-compare ") + PERF_COMPARE_VERSION);
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  add_compare(app, options, texts);
  add_bisect(app, options, texts);
  add_selftest(app, options, texts);
  add_calibrate(app, options, texts);
  add_doctor(app, options);
  add_profile(app, options, texts);
  add_judge(app, options, texts);
  add_pins(app, options);

  std::vector<std::string> reversed = with_command(arguments);  // CLI11 takes them last first
  std::reverse(reversed.begin(), reversed.end());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    options.command = Command::print;
    options.print = app.help();
    return options;
  } catch (const CLI::CallForVersion& version) {
    options.command = Command::print;
    options.print = std::string(version.what()) + "\n";
    return options;
  } catch (const CLI::ParseError& error) {
    throw UsageError("the command line does not read", error.what(), "perf-compare --help");
  }
  const CLI::App& chosen = *app.get_subcommands().front();
  options.command = command_named(chosen.get_name());
  if (options.command == Command::judge && options.file.empty() && options.base_files.empty())
    throw UsageError("the command line does not read", "judge wants a file of samples",
                     "perf-compare judge --help");
  if (options.command == Command::selftest && chosen.count("--size") == 0)
    options.size = "smoke";
  if (options.command == Command::compare) {
    options.base_given = chosen.count("BASE") > 0;
    options.head_given = chosen.count("HEAD") > 0;
  }
  read_texts(texts, options);
  return options;
}

}  // namespace perf
