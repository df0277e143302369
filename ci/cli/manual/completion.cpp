#include <cassert>
#include <set>

#include "ci/cli/manual/manual.h"
#include "schema/text/lists.h"

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
    quoted += one == '\'' ? "'\\''" : std::string(1, one);
  }
  return quoted + "'";
}

std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char one : text) {
    if (special.find(one) != std::string_view::npos) {
      result += '\\';
    }
    result += one == '\n' ? ' ' : one;
  }
  return result;
}

std::vector<OptionEntry> global_options(const CommandTree& tree) {
  std::vector<OptionEntry> options = tree.options;
  std::erase_if(options, [](const OptionEntry& one) { return one.names.back() == "--help"; });
  return options;
}

std::vector<std::string> option_names(const CommandTree& tree, bool with_value) {
  std::set<std::string> names;
  const auto take = [&](const std::vector<OptionEntry>& options) {
    for (const OptionEntry& option : options) {
      if (option.value.empty() != with_value) {
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

std::vector<std::string> command_names(const CommandTree& tree) {
  return mapped(tree.commands, &CommandEntry::name);
}

std::string word_of(ValueKind kind, const std::array<std::string, 5>& words) {
  return words[static_cast<std::size_t>(kind)];
}

std::string filled(std::string text,
                   const std::vector<std::pair<std::string, std::string>>& parts) {
  for (const auto& [name, part] : parts) {
    const std::string mark = "{{" + name + "}}";
    const std::size_t at = text.find(mark);
    assert(at != std::string::npos);
    text.replace(at, mark.size(), part);
  }
  return text;
}

}  // namespace perf
