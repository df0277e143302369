#include "ci/cli/options/command_line.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "ci/cli/options/cli11.h"
#include "ci/cli/options/comparison_commands.h"
#include "ci/cli/options/history_commands.h"
#include "ci/cli/options/option_values.h"
#include "schema/error.h"

namespace perf {
namespace {

constexpr std::array<std::pair<std::string_view, Command>, 17> kCommands{{
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
    {"collect", Command::collect},
    {"trend", Command::trend},
    {"detect", Command::detect},
    {"import", Command::import_files},
    {"merge", Command::merge},
    {"export", Command::export_store},
    {"prune", Command::prune},
}};

/// Names that the command line has promised to commands still to come. A branch called so is
/// reached through `compare` today, so that nobody's CI job changes its meaning tomorrow.
constexpr std::array<std::string_view, 4> kReserved{"report", "init", "list", "show"};

/// Options that stand alone; every other one is followed by its value.
constexpr std::array<std::string_view, 19> kFlags{
    "--strict",     "--together", "--stored", "--control", "--count",   "--profile-changes",
    "-q",           "--quiet",    "-v",       "--verbose", "-h",        "--help",
    "--git-bisect", "--version",  "--show",   "--missing", "--confirm", "--log",
    "--dry-run"};

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
    "  perf-compare selftest         prove that the gate can fail, before trusting it\n"
    "  perf-compare collect HEAD     measure a commit and keep it, every night\n"
    "  perf-compare trend            what moved along the history that was collected, and when\n"
    "  perf-compare import hyperfine out.json --rev v1.2   keep what another tool measured";

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

/// What was given and would change nothing, or says nothing.
void require_sense(const CLI::App& chosen, const Options& options) {
  if (options.command == Command::judge && options.file.empty() && options.base_files.empty())
    throw UsageError("the command line does not read", "judge wants a file of samples",
                     "perf-compare judge --help");
  for (const char* name : {"--since", "--environment"}) {
    const CLI::Option* option = chosen.get_option_no_throw(name);
    if (option != nullptr && option->count() > 0 && option->as<std::string>().empty())
      throw UsageError("the option is given and says nothing", std::string(name) + " \"\"",
                       "leave it out, or see perf-compare " + chosen.get_name() + " --help");
  }
  for (const char* name : {"--pairs", "--alpha", "--budget", "--seed"}) {
    if (options.command == Command::trend && !options.confirm && chosen.count(name) > 0)
      throw UsageError(
          "a trend measures nothing", name,
          "add --confirm, which runs comparisons, or leave " + std::string(name) + " out");
  }
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
  add_collect(app, options, texts);
  add_trend(app, options, texts);
  add_detect(app, options);
  add_pins(app, options);
  add_import(app, options);
  add_merge(app, options);
  add_export(app, options);
  add_prune(app, options, texts);

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
  require_sense(chosen, options);
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
