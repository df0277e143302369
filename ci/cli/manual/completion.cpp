#include "ci/cli/manual/completion.h"

#include <set>

namespace perf {

const std::vector<std::string>& completion_shells() {
  static const std::vector<std::string> shells{"bash", "fish", "zsh"};
  return shells;
}

std::string render_completion(const CommandTree& tree, const std::string& shell) {
  if (shell == "zsh") {
    return render_zsh_completion(tree);
  }
  return shell == "fish" ? render_fish_completion(tree) : render_bash_completion(tree);
}

std::string in_shell_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char one : text) {
    if (one == '\'') {
      quoted += "'\\''";
    } else {
      quoted += one;
    }
  }
  return quoted + "'";
}

std::vector<OptionEntry> global_options(const CommandTree& tree) {
  std::vector<OptionEntry> options;
  for (const OptionEntry& option : tree.options) {
    if (option.names.back() != "--help") {
      options.push_back(option);
    }
  }
  return options;
}

std::vector<std::string> options_with_value(const CommandTree& tree) {
  std::set<std::string> names;
  const auto take = [&names](const std::vector<OptionEntry>& options) {
    for (const OptionEntry& option : options) {
      if (!option.value.empty()) {
        names.insert(option.names.begin(), option.names.end());
      }
    }
  };
  take(tree.options);
  for (const CommandEntry& command : tree.commands) {
    take(command.options);
  }
  return {names.begin(), names.end()};
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (&word != &words.front()) {
      text += separator;
    }
    text += word;
  }
  return text;
}

}  // namespace perf
