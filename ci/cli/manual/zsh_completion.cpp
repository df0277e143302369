#include "ci/cli/manual/manual.h"

namespace perf {

extern const char* const kZshCompletion;  // perf-compare.zsh

namespace {

std::string action_of(ValueKind kind, const std::vector<std::string>& choices) {
  return word_of(kind, {" ", "(" + joined(choices, " ") + ")", "_files", "_files -/",
                        "_perf-compare_revisions"});
}

std::string option_specifications(const OptionEntry& option) {
  const std::string exclusive = option.repeatable ? "*" : "(" + joined(option.names, " ") + ")";
  std::string text;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    std::string specification = exclusive + name;
    if (!option.value.empty()) {
      specification += is_long ? "=" : "+";
    }
    specification += "[" + escaped(option.description, "[]\\:") + "]";
    if (!option.value.empty()) {
      specification +=
          ":" + escaped(option.value, ":\\") + ":" + action_of(option.kind, option.choices);
    }
    text += " \\\n        " + in_shell_quotes(specification);
  }
  return text;
}

std::string arguments_of(const CommandEntry& command, bool is_implied) {
  std::string text;
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const ArgumentEntry& argument = command.arguments[i];
    const std::string place = argument.several ? "*:" : std::to_string(i + 1) + ":";
    const std::string action =
        is_implied && i == 0 ? "_perf-compare_first" : action_of(argument.kind, argument.choices);
    text += " \\\n        " + in_shell_quotes(place + escaped(argument.name, ":\\") + ":" + action);
  }
  return text;
}

std::string branch(const std::string& pattern, const CommandEntry& command,
                   const std::vector<OptionEntry>& more, bool is_implied) {
  std::string text = "    " + pattern + ")\n      _arguments -s -S";
  for (const std::vector<OptionEntry>* options : {&more, &command.options}) {
    for (const OptionEntry& option : *options) {
      text += option_specifications(option);
    }
  }
  return text + arguments_of(command, is_implied) + "\n      ;;\n";
}

}  // namespace

std::string render_zsh_completion(const CommandTree& tree) {
  std::string described, branches;
  for (const CommandEntry& command : tree.commands) {
    described +=
        "    " + in_shell_quotes(command.name + ":" + escaped(command.summary, ":\\")) + "\n";
    if (command.name == "compare") {
      branches += branch("''", command, global_options(tree), true);
    }
    branches += branch(command.name, command, {}, false);
  }
  return filled(kZshCompletion, {{"VERSION", tree.version},
                                 {"COMMANDS", joined(command_names(tree), " ")},
                                 {"VALUED", joined(option_names(tree, true), " ")},
                                 {"DESCRIBED", described},
                                 {"BRANCHES", branches}});
}

}  // namespace perf
