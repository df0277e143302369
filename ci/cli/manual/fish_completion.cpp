#include "ci/cli/manual/manual.h"

namespace perf {

extern const char* const kFishCompletion;  // perf-compare.fish

namespace {

/// Text in single quotes, in which fish reads \' and \\.
std::string fish_quoted(std::string_view text) {
  return "'" + escaped(text, "'\\") + "'";
}

std::string value_of(ValueKind kind, const std::vector<std::string>& choices) {
  return word_of(kind, {"", " -a " + fish_quoted(joined(choices, " ")), " -F",
                        " -a '(__fish_complete_directories)'", " -a '(__perf_compare_revisions)'"});
}

std::string option_line(const std::string& condition, const OptionEntry& option) {
  std::string text = "complete -c perf-compare -n " + fish_quoted(condition);
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    text += is_long ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) {
    text +=
        (option.kind == ValueKind::file ? " -r" : " -x") + value_of(option.kind, option.choices);
  }
  return text + " -d " + fish_quoted(option.description) + "\n";
}

std::string argument_line(const std::string& command, std::size_t place,
                          const ArgumentEntry& argument) {
  const std::string condition = (argument.several ? "__perf_compare_from " : "__perf_compare_at ") +
                                command + " " + std::to_string(place);
  return "complete -c perf-compare -n " + fish_quoted(condition) +
         value_of(argument.kind, argument.choices) + " -d " + fish_quoted(argument.name) + "\n";
}

}  // namespace

std::string render_fish_completion(const CommandTree& tree) {
  std::string lines;
  for (const OptionEntry& option : global_options(tree)) {
    lines += option_line("__perf_compare_needs_command", option);
  }
  for (const CommandEntry& command : tree.commands) {
    lines += "\ncomplete -c perf-compare -n __perf_compare_needs_command -a " + command.name +
             " -d " + fish_quoted(command.summary) + "\n";
    for (const OptionEntry& option : command.options) {
      lines += option_line("__perf_compare_in " + command.name, option);
    }
    for (std::size_t i = 0; i < command.arguments.size(); ++i) {
      if (command.arguments[i].kind != ValueKind::text) {
        lines += argument_line(command.name, i, command.arguments[i]);
      }
    }
  }
  return filled(kFishCompletion, {{"VERSION", tree.version},
                                  {"COMMANDS", joined(command_names(tree), " ")},
                                  {"VALUED", joined(option_names(tree, true), " ")},
                                  {"COMPLETIONS", lines}});
}

}  // namespace perf
