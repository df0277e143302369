#include "ci/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "schema/config/sizes.h"
#include "schema/error.h"
#include "schema/units.h"

namespace perf {
namespace {

constexpr std::array<std::string_view, 5> kCommands{"compare", "judge", "pin", "unpin", "pins"};

/// Names that the command line has promised to commands still to come. A branch called so is
/// reached through `compare` today, so that nobody's CI job changes its meaning tomorrow.
constexpr std::array<std::string_view, 16> kReserved{
    "collect", "trend",  "bisect",    "report",   "detect", "import", "merge", "export",
    "profile", "doctor", "calibrate", "selftest", "init",   "list",   "show",  "prune"};

/// Options that stand alone; every other one is followed by its value.
constexpr std::array<std::string_view, 9> kFlags{"--strict",  "--together", "-q", "--quiet", "-v",
                                                 "--verbose", "--version",  "-h", "--help"};

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
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
  if (at < arguments.size() && contains(kCommands, arguments[at])) {
    std::rotate(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(at),
                arguments.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    return arguments;
  }
  if (at < arguments.size() && contains(kReserved, arguments[at]))
    throw UsageError(
        "this version has no such command", arguments[at],
        "for a revision of that name: perf-compare compare " + arguments[at] + " HEAD");
  const bool asks_for_help =
      at >= arguments.size() && (contains(arguments, "-h") || contains(arguments, "--help"));
  if (asks_for_help)
    return {"--help"};
  arguments.insert(arguments.begin(), "compare");
  return arguments;
}

int parse_count(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > 1000000)
    throw UsageError("not a number of pairs", "--pairs " + std::string(text),
                     "MAX or MIN:MAX, for example --pairs 24 or --pairs 16:51");
  return value;
}

std::pair<int, int> parse_pairs(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    return {0, parse_count(text)};
  const std::pair<int, int> pairs{parse_count(std::string_view(text).substr(0, colon)),
                                  parse_count(std::string_view(text).substr(colon + 1))};
  if (pairs.first > pairs.second)
    throw UsageError("the minimum is above the maximum", "--pairs " + text, "MIN:MAX");
  return pairs;
}

/// Seeds stay below 2^53, so that every reader of the report's JSON gets them whole.
std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > (std::uint64_t{1} << 53))
    throw UsageError("not a usable seed", "--seed " + text, "a whole number from 0 to 2^53");
  return value;
}

/// A percentage that has to lie strictly between 0 and `limit`.
double parse_share(const std::string& text, const std::string& option, double limit) {
  const double value = parse_percentage(text, option);
  if (!(value > 0 && value < limit))
    throw UsageError(
        "out of range", option + " " + text,
        "a percentage above 0 % and below " + std::to_string(static_cast<int>(limit * 100)) + " %");
  return value;
}

/// Texts that only become numbers once CLI11 is done, so that all errors read alike.
struct Texts {
  std::string threshold, alpha, budget, pairs, seed;
};

void add_output_options(CLI::App& command, Options& options) {
  command
      .add_option("--json", options.json, "Write the report as JSON to FILE (- is standard output)")
      ->type_name("FILE");
  command.add_option("--color", options.color, "auto, always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
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

void add_policy_options(CLI::App& command, Texts& texts) {
  command
      .add_option("--threshold", texts.threshold,
                  "The change that matters, for every metric (default 10%)")
      ->type_name("PERCENT");
  command.add_option("--alpha", texts.alpha, "Error rate of the whole report (default 1%)")
      ->type_name("PERCENT");
}

void add_compare(CLI::App& app, Options& options, Texts& texts) {
  CLI::App* compare =
      app.add_subcommand("compare", "Is HEAD slower or hungrier than BASE? (the default command)");
  compare->add_option("BASE", options.base,
                      "Revision, pinned baseline, `.` (the working tree) or `baseline`");
  compare->add_option("HEAD", options.head, "Revision or `.`");
  add_repository_options(*compare, options);
  compare->add_option("--config", options.config, "Config to use (default: perf-compare.json)")
      ->type_name("FILE");
  compare
      ->add_option("-w,--workload", options.workloads,
                   "Only workloads that match (repeatable; * matches / too)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  compare->add_option("--metric", options.metrics, "Only this metric, judged (repeatable)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  compare->add_option("--size", options.size, "smoke, ci (default) or full")
      ->check(CLI::IsMember(std::vector<std::string>(config::kSizes.begin(), config::kSizes.end())))
      ->type_name("SIZE");
  add_policy_options(*compare, texts);
  compare
      ->add_option("--budget", texts.budget, "Time for measuring, builds not counted (default 10m)")
      ->type_name("DURATION");
  compare->add_option("--pairs", texts.pairs, "Pairs of processes per workload: MAX or MIN:MAX")
      ->type_name("[MIN:]MAX");
  compare
      ->add_option("--seed", texts.seed,
                   "Seed of order, padding and workloads (default: random, reported)")
      ->type_name("N");
  compare->add_flag("--strict", options.strict,
                    "Exit with 4 where anything is inconclusive or missing");
  compare
      ->add_option("--markdown", options.markdown,
                   "Write the report as Markdown to FILE (- is standard output)")
      ->type_name("FILE");
  add_output_options(*compare, options);
  compare->add_flag("-q,--quiet", options.quiet, "No progress on standard error");
  compare->add_flag("-v,--verbose", options.verbose, "Also say how every process went");
}

void add_judge(CLI::App& app, Options& options, Texts& texts) {
  CLI::App* judge = app.add_subcommand("judge", "Verdicts for samples measured elsewhere");
  judge
      ->add_option(
          "FILE", options.file,
          "JSON: {\"cases\": {NAME: {\"threshold\", \"base\", \"head\"}}} (- is standard input)")
      ->required();
  judge->add_flag("--together", options.together, "One error rate for all cases, not one each");
  add_policy_options(*judge, texts);
  judge->add_flag("--strict", options.strict, "Exit with 4 where anything is inconclusive");
  add_output_options(*judge, options);
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

constexpr const char* kDescription =
    "Tells whether a commit made a program slower or hungrier, by how much, and with a known error "
    "rate.\n"
    "\n"
    "  perf-compare                  compare HEAD with its baseline (the merge base with the main "
    "branch)\n"
    "  perf-compare v1.2 HEAD        compare two revisions\n"
    "  perf-compare HEAD .           compare HEAD with the working tree as it is\n"
    "  perf-compare pin release v1.2 name a baseline, then: perf-compare release HEAD\n"
    "  perf-compare judge FILE       verdicts for samples measured elsewhere";

constexpr const char* kFooter =
    "Exit status: 0 nothing regressed; 1 a regression, a missed target or a failed output check; 2 "
    "asked wrongly;\n"
    "3 could not measure; 4 inconclusive or missing (only with --strict); 130 or 143 interrupted.";

Command command_named(const std::string& name) {
  if (name == "judge")
    return Command::judge;
  if (name == "pin")
    return Command::pin;
  if (name == "unpin")
    return Command::unpin;
  if (name == "pins")
    return Command::pins;
  return Command::compare;
}

void read_texts(const Texts& texts, Options& options) {
  if (!texts.threshold.empty())
    options.threshold = parse_share(texts.threshold, "--threshold", 10);
  if (!texts.alpha.empty())
    options.alpha = parse_share(texts.alpha, "--alpha", 0.5);
  if (!texts.budget.empty())
    options.budget = parse_duration(texts.budget, "--budget");
  if (!texts.pairs.empty())
    options.pairs = parse_pairs(texts.pairs);
  if (!texts.seed.empty())
    options.seed = parse_seed(texts.seed);
}

}  // namespace

Options parse_command_line(const std::vector<std::string>& arguments) {
  Options options;
  Texts texts;
  CLI::App app{kDescription, "perf-compare"};
  app.set_version_flag("--version", std::string("perf-compare ") + PERF_COMPARE_VERSION);
  app.footer(kFooter);
  app.require_subcommand(0, 1);
  add_compare(app, options, texts);
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
  options.command = command_named(app.get_subcommands().front()->get_name());
  read_texts(texts, options);
  return options;
}

}  // namespace perf
