#include <algorithm>
#include <filesystem>
#include <string_view>

#include "ci/cli/options/command_tree.h"
#include "schema/text/nearest_name.h"

namespace perf {
namespace {

constexpr const char* kHelp = "help";  // not a command, but many type it

std::vector<std::string_view> long_options(const CommandEntry& command) {
  std::vector<std::string_view> names;
  for (const OptionEntry& option : command.options) {
    for (const std::string& name : option.names) {
      if (name.starts_with("--")) {
        names.push_back(name);
      }
    }
  }
  return names;
}

}  // namespace

std::string hint_for_arguments(const std::vector<std::string>& arguments) {
  const CommandEntry* command = command_named(arguments.front());
  if (command == nullptr) {
    return "perf-compare --help";
  }
  const std::vector<std::string_view> known = long_options(*command);
  std::string help = "perf-compare " + command->name + " --help";
  for (const std::string& argument : arguments) {
    const std::string_view name = std::string_view(argument).substr(0, argument.find('='));
    if (name == "--") {
      break;
    }
    if (!name.starts_with("--") || std::ranges::find(known, name) != known.end()) {
      continue;
    }
    const std::string_view likely = nearest_name(name, known);
    if (!likely.empty()) {
      return "did you mean " + std::string(likely) + "? " + help + " lists the options";
    }
  }
  return help;
}

std::string likely_command(const std::string& name, const CommandTree& tree) {
  std::vector<std::string_view> known{kHelp};
  for (const CommandEntry& command : tree.commands) {
    known.push_back(command.name);
  }
  return std::string(nearest_name(name, known));
}

UsageError with_likely_command(const UsageError& error, const Options& options) {
  std::error_code ignored;
  if (options.command == "compare" && std::filesystem::is_regular_file(options.base, ignored)) {
    return {error.what, error.subject,
            "perf-compare judge " + options.base + " " + options.head + " compares files" +
                (error.hint.empty() ? "" : "\n") + error.hint};
  }
  if (options.likely_command.empty()) {
    return error;
  }
  const std::string hint =
      options.likely_command == kHelp
          ? "perf-compare --help, if you want help"
          : "perf-compare " + options.likely_command + ", if you meant this command";
  return {error.what, error.subject, hint + (error.hint.empty() ? "" : "\n") + error.hint};
}

}  // namespace perf
