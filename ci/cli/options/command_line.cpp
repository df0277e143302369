#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "ci/cli/manual/manual.h"
#include "ci/cli/options/command_tree.h"
#include "ci/cli/options/options.h"
#include "ci/cli/version.h"
#include "collector/this_process.h"
#include "schema/error.h"
#include "schema/readings.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// Index of the first argument that is neither an option nor an option's value; size if none.
std::size_t first_positional(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& flags) {
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
    i += std::ranges::binary_search(flags, argument) || has_value ? 1 : 2;
  }
  return arguments.size();
}

/// --man and --completion stand alone and first, so that no branch name is mistaken for them.
bool is_manual_option(const std::string& argument) {
  return argument == "--man" || argument.substr(0, argument.find('=')) == "--completion";
}

/// The arguments with the command's name in front.
std::vector<std::string> with_command(std::vector<std::string> arguments) {
  if (!arguments.empty() && is_manual_option(arguments.front())) {
    return arguments;
  }
  if (std::ranges::find(arguments, "--version") != arguments.end()) {
    return {"--version"};
  }
  const std::size_t at = first_positional(arguments, option_names(command_tree(), false));
  if (at < arguments.size() && command_named(arguments[at]) != nullptr) {
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

/// Removes and returns what follows `--`, the command of `bisect --list`: CLI11 reads {} and [a] as
/// lists.
std::vector<std::string> take_listed_command(std::vector<std::string>& arguments) {
  const auto end = std::ranges::find(arguments, "--");
  const auto is_list = [](const std::string& argument) {
    return argument == "--list" || argument.starts_with("--list=");
  };
  if (arguments.empty() || arguments.front() != "bisect" || end == arguments.end() ||
      std::find_if(arguments.begin(), end, is_list) == end) {
    return {};
  }
  std::vector<std::string> words(end + 1, arguments.end());
  arguments.erase(end, arguments.end());
  return words;
}

void add_option(CLI::App& command, const OptionEntry& entry, Options& options) {
  const std::string names = joined(entry.names, ",");
  if (entry.flag != nullptr) {
    command.add_flag(names, options.*entry.flag);
    return;
  }
  CLI::Option* option = command.add_option(names);
  if (!entry.choices.empty()) {
    option->check(CLI::IsMember(entry.choices));
  }
  option->type_name(entry.value);
  if (entry.repeatable) {
    option->expected(CLI::detail::expected_max_vector_size)->allow_extra_args(entry.several);
  }
}

void add_command(CLI::App& app, const CommandEntry& entry, Options& options) {
  CLI::App* command = app.add_subcommand(entry.name);
  for (const ArgumentEntry& argument : entry.arguments) {
    CLI::Option* option = command->add_option(argument.name)->required(argument.required);
    if (argument.several) {
      option->expected(CLI::detail::expected_max_vector_size);
    }
  }
  for (const OptionEntry& option : entry.options) {
    if (option.flag != nullptr || option.read) {
      add_option(*command, option, options);
    }
  }
}

/// Whether an option or argument was given; a flag may be given as --flag=false.
bool is_given(const CLI::App& chosen, const std::string& name) {
  const CLI::Option* option = chosen.get_option_no_throw(name);
  return option != nullptr && option->count() > 0 &&
         (option->get_expected_min() > 0 || option->as<bool>());
}

/// Names of files and the like must not be empty: a script may have an unset variable.
bool may_be_empty(const OptionEntry& option) {
  return option.kind != ValueKind::file && option.kind != ValueKind::folder &&
         option.names.back() != "--since" && option.names.back() != "--environment";
}

void reject_empty(const CLI::App& chosen, const std::string& name) {
  if (std::ranges::count(chosen.get_option(name)->results(), "") > 0) {
    throw UsageError("empty value", name + " \"\" (is a variable not set?)");
  }
}

void check_required(const CLI::App& chosen, const OptionEntry& option) {
  const std::string& name = option.names.back();
  if (option.required && !is_given(chosen, name)) {
    throw UsageError(name + " is required", "");
  }
  if (option.required && trimmed(chosen.get_option(name)->results().back(), " \t\r\n").empty()) {
    throw UsageError(name + " must not be empty", "");
  }
}

/// Throws UsageError for missing, empty and conflicting options and arguments.
void check_combination(const CLI::App& chosen, const CommandEntry& command) {
  for (const ArgumentEntry& argument : command.arguments) {
    reject_empty(chosen, argument.name);
    if (!argument.unless.empty() && !is_given(chosen, argument.name) &&
        !is_given(chosen, argument.unless)) {
      throw UsageError("missing argument", argument.name,
                       "perf-compare " + command.name + " --help");
    }
  }
  for (const OptionEntry& option : command.options) {
    if (!may_be_empty(option)) {
      reject_empty(chosen, option.names.back());
    }
    check_required(chosen, option);
  }
  for (const Conflict& conflict : conflicts()) {
    for (const std::string& other : conflict.others) {
      if (is_given(chosen, conflict.option) && is_given(chosen, other)) {
        throw UsageError(conflict.option + " cannot be combined with " + other, "", conflict.hint);
      }
    }
  }
  const auto require = [&](const std::string& other, const std::vector<std::string>& options) {
    for (const std::string& option : options) {
      if (is_given(chosen, option) && chosen.get_option_no_throw(other) != nullptr &&
          !is_given(chosen, other)) {
        throw UsageError(option + " requires " + other, "");
      }
    }
  };
  require("--confirm", kOptionsOfConfirm);
  require("--list", kOptionsOfList);
  require("--log", {"--measure"});
}

/// Reads the values that were given.
void read_values(const CLI::App& chosen, const CommandEntry& command, Options& options) {
  const auto read = [&](const std::string& name, const ReadValues& reader) {
    if (reader && chosen.count(name) > 0) {
      reader(name, chosen.get_option(name)->results(), options);
    }
  };
  for (const OptionEntry& option : command.options) {
    read(option.names.back(), option.read);
  }
  for (const ArgumentEntry& argument : command.arguments) {
    read(argument.name, argument.read);
  }
}

/// Parses the arguments; returns the text to print if no command is to run.
std::optional<std::string> parse(const std::vector<std::string>& arguments, CLI::App& app) {
  const CommandTree& tree = command_tree();
  std::vector<std::string> reversed(arguments.rbegin(),
                                    arguments.rend());  // CLI11 expects them reversed
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    return chosen.empty() ? render_help(tree)
                          : render_command_help(tree, *command_named(chosen.front()->get_name()));
  } catch (const CLI::CallForVersion& version) {
    return version.what();
  } catch (const CLI::ParseError& error) {
    const std::string what = error.what();
    const bool are_files = arguments.front() == "judge" &&
                           error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) &&
                           what.find(" -") == what.npos;
    throw UsageError("invalid command line", what,
                     are_files ? "several files a side: --base FILE... --head FILE..."
                               : hint_for_arguments(arguments));
  }
  if (app.count("--man") > 0) {
    return render_man_page(tree);
  }
  if (app.count("--completion") > 0) {
    return render_completion(tree, app.get_option("--completion")->as<std::string>());
  }
  return app.get_subcommands().empty() ? std::optional(std::string()) : std::nullopt;
}

}  // namespace

Options parse_command_line(const std::vector<std::string>& arguments) {
  Options options;
  const CommandTree& tree = command_tree();
  CLI::App app{tree.description, tree.program};
  app.set_version_flag("--version", [&] {
    const bool verbose = std::ranges::count(arguments, "--verbose") > 0;
    return verbose ? render_verbose_version(tree, running_program()) : render_version(tree);
  });
  app.require_subcommand(0, 1);
  app.add_option("--completion")->check(CLI::IsMember(completion_shells()))->type_name("SHELL");
  app.add_flag("--man");
  for (const CommandEntry& command : tree.commands) {
    add_command(app, command, options);
  }
  std::vector<std::string> whole = with_command(arguments);
  options.words = take_listed_command(whole);
  if (const std::optional<std::string> page = parse(whole, app)) {
    options.print = *page;
    return options;
  }
  const CLI::App& chosen = *app.get_subcommands().front();
  options.command = chosen.get_name();
  check_combination(chosen, *command_named(options.command));
  if (options.command == "selftest") {
    options.size = "smoke";
  }
  read_values(chosen, *command_named(options.command), options);
  if (options.command == "compare") {
    options.base_given = chosen.count("BASE") > 0;
    options.head_given = chosen.count("HEAD") > 0;
  }
  if (options.base_given && whole.size() > arguments.size()) {
    options.likely_command = likely_command(options.base, tree);
  }
  return options;
}

Policy apply(Policy policy, const Options& options) {
  // A step of the full size takes seconds, and a few are as informative as eight short ones.
  if (options.size == "full") {
    policy.warmup_steps = 1;
    policy.initial_steps = policy.min_steps = policy.max_steps = 3;
  }
  if (options.threshold) {
    policy.threshold = *options.threshold;
    policy.threshold_override = true;
  }
  policy.alpha = options.alpha.value_or(policy.alpha);
  policy.budget = options.budget.value_or(policy.budget);
  if (options.pairs) {
    policy.min_pairs = options.pairs->first;
    policy.max_pairs = options.pairs->second;
  }
  policy.control = options.control;
  policy.count = options.count;
  std::ranges::for_each(options.metrics, step_quantile);
  if (!options.metrics.empty()) {
    policy.metrics = options.metrics;
  }
  return policy;
}

}  // namespace perf
