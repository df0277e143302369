#include <map>

#include "ci/cli/manual/manual.h"

namespace perf {

extern const char* const kBashCompletion;  // perf-compare.bash

namespace {

std::string kind_words(ValueKind kind, const std::vector<std::string>& choices) {
  return word_of(kind, {"text", "choice " + joined(choices, " "), "file", "folder", "revision"});
}

std::string names_of(const std::vector<OptionEntry>& options) {
  std::vector<std::string> names;
  for (const OptionEntry& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return joined(names, " ");
}

std::string option_cases(const CommandTree& tree) {
  std::string text;
  for (const CommandEntry& command : tree.commands) {
    const std::string offer = ") _perf_compare_offer ", own = names_of(command.options);
    if (command.name == "compare") {  // also without a command
      text += "    ''" + offer + names_of(global_options(tree)) + " " + own + " ;;\n";
    }
    text += "    " + command.name + offer + own + " ;;\n";
  }
  return text;
}

/// The kinds of values of commands and options.
std::string value_cases(const CommandTree& tree) {
  std::map<std::string, std::vector<std::string>> places;
  const auto take = [&places](const std::string& command, const OptionEntry& option) {
    if (option.value.empty() || option.kind == ValueKind::text) {
      return;
    }
    for (const std::string& name : option.names) {
      places[kind_words(option.kind, option.choices)].push_back("'" + command + " " + name + "'");
    }
  };
  for (const OptionEntry& option : tree.options) {
    take("compare", option);
  }
  for (const CommandEntry& command : tree.commands) {
    for (const OptionEntry& option : command.options) {
      take(command.name, option);
    }
  }
  std::string text;
  for (const auto& [kind, patterns] : places) {
    text += "    " + joined(patterns, " | \\\n    ") + ")\n      _perf_compare_by_kind " + kind +
            " ;;\n";
  }
  return text;
}

std::string argument_cases(const CommandTree& tree) {
  std::string text;
  for (const CommandEntry& command : tree.commands) {
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      const ArgumentEntry& argument = command.arguments[i];
      if (argument.kind == ValueKind::text) {
        continue;
      }
      const std::string place = argument.several ? "*" : std::to_string(i);
      text += "    '" + command.name + " '" + place + ") _perf_compare_by_kind " +
              kind_words(argument.kind, argument.choices) + " ;;\n";
    }
  }
  return text;
}

}  // namespace

std::string render_bash_completion(const CommandTree& tree) {
  const std::vector<std::string> commands = command_names(tree);
  return filled(kBashCompletion, {{"VERSION", tree.version},
                                  {"COMMANDS", joined(commands, " ")},
                                  {"COMMAND_PATTERN", joined(commands, "|")},
                                  {"VALUED_PATTERN", joined(option_names(tree, true), "|")},
                                  {"OPTIONS", option_cases(tree)},
                                  {"VALUES", value_cases(tree)},
                                  {"ARGUMENTS", argument_cases(tree)}});
}

}  // namespace perf
