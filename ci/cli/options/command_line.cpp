#include "ci/cli/options/command_line.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "ci/cli/manual/help.h"
#include "ci/cli/options/cli11.h"
#include "ci/cli/options/comparison_commands.h"
#include "ci/cli/options/history_commands.h"
#include "ci/cli/options/init_command.h"
#include "ci/cli/options/looking_commands.h"
#include "ci/cli/options/manual_options.h"
#include "ci/cli/options/misspelling.h"
#include "ci/cli/options/option_values.h"
#include "ci/cli/options/read_command_tree.h"
#include "schema/error.h"

namespace perf {
namespace {

constexpr std::array<std::pair<std::string_view, Command>, 21> kCommands{{
    {"init", Command::init},
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
    {"report", Command::report},
    {"list", Command::list},
    {"show", Command::show},
}};

bool is_command(std::string_view name) {
  return std::any_of(kCommands.begin(), kCommands.end(),
                     [name](const auto& command) { return command.first == name; });
}

/// Options that stand alone, of any command; every other one is followed by its value.
std::set<std::string> flags_of(const CommandTree& tree) {
  std::set<std::string> flags;
  const auto take = [&flags](const std::vector<OptionEntry>& options) {
    for (const OptionEntry& option : options) {
      if (option.value.empty()) {
        flags.insert(option.names.begin(), option.names.end());
      }
    }
  };
  take(tree.options);
  for (const CommandEntry& command : tree.commands) {
    take(command.options);
  }
  return flags;
}

/// Index of the first argument that is neither an option nor an option's value; size if none.
std::size_t first_positional(const std::vector<std::string>& arguments,
                             const std::set<std::string>& flags) {
  std::size_t i = 0;
  while (i < arguments.size()) {
    const std::string& argument = arguments[i];
    if (argument == "--") {
      return i + 1;
    }
    if (argument.size() < 2 || argument[0] != '-') {
      return i;
    }
    const bool is_long = argument[1] == '-';
    const bool has_value =
        argument.find('=') != std::string::npos || (!is_long && argument.size() > 2);
    i += flags.count(argument) > 0 || has_value ? 1 : 2;
  }
  return arguments.size();
}

/// The same arguments with the command's name in front, whatever stood before it.
std::vector<std::string> with_command(std::vector<std::string> arguments, const CommandTree& tree) {
  if (!arguments.empty() && is_manual_option(arguments.front())) {
    return arguments;
  }
  if (std::find(arguments.begin(), arguments.end(), "--version") != arguments.end()) {
    return {"--version"};
  }
  const std::size_t at = first_positional(arguments, flags_of(tree));
  if (at < arguments.size() && is_command(arguments[at])) {
    std::rotate(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(at),
                arguments.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    return arguments;
  }
  if (arguments.size() == 1 && (arguments[0] == "-h" || arguments[0] == "--help")) {
    return {"--help"};
  }
  arguments.insert(arguments.begin(), "compare");
  return arguments;
}

constexpr const char* kDescription =
    "Tells whether a commit made a program slower or hungrier, by how much, and with a known error "
    "rate.";

Command command_named(std::string_view name) {
  return std::find_if(kCommands.begin(), kCommands.end(),
                      [name](const auto& command) { return command.first == name; })
      ->second;
}

/// Arguments, and options whose value names something: an empty one is a mistake, not a default.
bool says_something(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return option.get_positional() || type == "FILE" || type == "DIR" ||
         option.check_lname("since") || option.check_lname("environment");
}

/// What was given and would change nothing, or says nothing.
void require_sense(const CLI::App& chosen, const Options& options) {
  if (options.command == Command::judge && options.file.empty() && options.base_files.empty()) {
    throw UsageError("the command line does not read", "judge wants a file of samples",
                     "perf-compare judge --help");
  }
  for (const CLI::Option* option : chosen.get_options()) {
    const std::vector<std::string>& values = option->results();
    if (says_something(*option) && std::count(values.begin(), values.end(), "") > 0) {
      throw UsageError("an argument is given and says nothing",
                       option->get_name() + " \"\" (is a variable not set?)",
                       "leave it out, or see perf-compare " + chosen.get_name() + " --help");
    }
  }
  for (const char* name : {"--pairs", "--alpha", "--budget", "--seed"}) {
    if (options.command == Command::trend && !options.confirm && chosen.count(name) > 0) {
      throw UsageError(
          "a trend measures nothing", name,
          "add --confirm, which runs comparisons, or leave " + std::string(name) + " out");
    }
  }
}

void add_commands(CLI::App& app, Options& options, OptionTexts& texts) {
  add_init(app, options);
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
  add_report(app, options);
  add_list(app, options);
  add_show(app, options);
}

/// What to try where the arguments, a command's name in front, do not read.
std::string hint_for(const std::vector<std::string>& arguments, const CommandTree& tree) {
  const auto command =
      std::find_if(tree.commands.begin(), tree.commands.end(),
                   [&](const CommandEntry& entry) { return entry.name == arguments.front(); });
  return command == tree.commands.end() ? "perf-compare --help"
                                        : hint_for_arguments(arguments, *command);
}

/// Reads the arguments into what the app was given; answers the text to print instead of running a
/// command, where that was asked for.
std::optional<std::string> parse(const std::vector<std::string>& arguments,
                                 const ManualRequest& manual, const CommandTree& tree,
                                 CLI::App& app) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 takes them
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return app.get_subcommands().empty()
               ? render_help(tree)
               : render_command_help(tree, app.get_subcommands().front()->get_name());
  } catch (const CLI::CallForVersion& version) {
    return std::string(version.what()) + "\n";
  } catch (const CLI::ParseError& error) {
    throw UsageError("the command line does not read", error.what(), hint_for(arguments, tree));
  }
  return app.get_subcommands().empty() ? std::optional(requested_page(manual, tree)) : std::nullopt;
}

/// What only the command as it was given can tell.
void read_chosen(const CLI::App& chosen, Options& options) {
  options.command = command_named(chosen.get_name());
  require_sense(chosen, options);
  if (options.command == Command::selftest && chosen.count("--size") == 0) {
    options.size = "smoke";
  }
  if (options.command == Command::compare) {
    options.base_given = chosen.count("BASE") > 0;
    options.head_given = chosen.count("HEAD") > 0;
  }
}

}  // namespace

Options parse_command_line(const std::vector<std::string>& arguments) {
  Options options;
  OptionTexts texts;
  ManualRequest manual;
  CLI::App app{kDescription, "perf-compare"};
  app.set_version_flag("--version", std::string("perf-compare ") + PERF_COMPARE_VERSION);
  app.require_subcommand(0, 1);
  add_manual_options(app, manual);
  add_commands(app, options, texts);
  const CommandTree tree = read_command_tree(app, PERF_COMPARE_VERSION);
  const std::vector<std::string> whole = with_command(arguments, tree);
  if (const std::optional<std::string> page = parse(whole, manual, tree, app)) {
    options.command = Command::print;
    options.print = *page;
    return options;
  }
  read_chosen(*app.get_subcommands().front(), options);
  read_texts(texts, options);
  if (options.base_given && whole.size() > arguments.size()) {
    options.likely_command = likely_command(options.base, tree);
  }
  return options;
}

}  // namespace perf
