#include "ci/cli/manual/completion.h"

namespace perf {
namespace {

// The command may stand behind options, and be left out (it is compare then): it is looked for, and
// taken out of the words, so that _arguments counts the command's own arguments.
constexpr const char* kHelpers = R"sh(
_perf-compare_revisions() {
  local -a refs
  local expl
  refs=(HEAD . baseline ${(f)"$(git -C "$repository" for-each-ref --format='%(refname:short)' \
    refs/heads refs/tags refs/remotes 2>/dev/null)"})
  refs=(${refs:#-*})
  compset -P '*..'  # a range: its second end
  _wanted revisions expl revision compadd -a refs
}

_perf-compare_first() {
  _alternative 'commands:command:_perf-compare_commands' 'revisions:revision:_perf-compare_revisions'
}
)sh";

constexpr const char* kWalk = R"sh(
_perf-compare() {
  local command= repository=.
  integer index=2
  while (( index < CURRENT )); do
    if (( ${_perf_compare_valued[(Ie)$words[index]]} )); then
      if [[ $words[index] == (-C|--repo) && index+1 -lt CURRENT ]]; then
        repository=${${(Q)words[index+1]}/#\~\//$HOME/}
      fi
      (( index += 2 ))
    elif [[ $words[index] == --repo=* ]]; then
      repository=${${(Q)words[index]#--repo=}/#\~\//$HOME/}
      (( index++ ))
    elif [[ $words[index] == -?* ]]; then
      (( index++ ))
    else
      break
    fi
  done
  if (( index < CURRENT && ${_perf_compare_names[(Ie)$words[index]]} )); then
    command=$words[index]
    words[index]=()
    (( CURRENT-- ))
  fi
)sh";

/// Text inside the brackets of a specification of _arguments.
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

std::string action_of(ValueKind kind, const std::vector<std::string>& choices) {
  switch (kind) {
    case ValueKind::choice:
      return "(" + joined(choices, " ") + ")";
    case ValueKind::file:
      return "_files";
    case ValueKind::folder:
      return "_files -/";
    case ValueKind::revision:
      return "_perf-compare_revisions";
    case ValueKind::text:
      break;
  }
  return " ";
}

std::string option_specifications(const OptionEntry& option) {
  const std::string exclusive = option.repeatable ? "*" : "(" + joined(option.names, " ") + ")";
  std::string text;
  for (const std::string& name : option.names) {
    const bool is_long = name.rfind("--", 0) == 0;
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
    const std::string place = argument.several ? "*" : std::to_string(i + 1) + ":";
    const std::string action =
        is_implied && i == 0 ? "_perf-compare_first" : action_of(argument.kind, argument.choices);
    text += " \\\n        " + in_shell_quotes((argument.several ? "*:" : place) +
                                              escaped(argument.name, ":\\") + ":" + action);
  }
  return text;
}

std::string branch(const std::string& pattern, const CommandEntry& command,
                   const std::vector<OptionEntry>& more, bool is_implied) {
  std::string text = "    " + pattern + ")\n      _arguments -s -S";
  for (const OptionEntry& option : more) {
    text += option_specifications(option);
  }
  for (const OptionEntry& option : command.options) {
    text += option_specifications(option);
  }
  return text + arguments_of(command, is_implied) + "\n      ;;\n";
}

}  // namespace

std::string render_zsh_completion(const CommandTree& tree) {
  std::string names, described, branches;
  for (const CommandEntry& command : tree.commands) {
    names += " " + command.name;
    described +=
        "    " + in_shell_quotes(command.name + ":" + escaped(command.summary, ":\\")) + "\n";
    if (command.name == "compare") {
      branches += branch("''", command, global_options(tree), true);
    }
    branches += branch(command.name, command, {}, false);
  }
  const std::string version = tree.version;
  return "#compdef perf-compare\n# zsh completion of perf-compare " + version +
         ": written by `perf-compare --completion zsh`.\n\n"
         "typeset -ga _perf_compare_names=(" +
         names.substr(names.empty() ? 0 : 1) + ")\ntypeset -ga _perf_compare_valued=(" +
         joined(options_with_value(tree), " ") + ")\n" +
         "\n_perf-compare_commands() {\n  local -a commands=(\n" + described +
         "  )\n  _describe -t commands command commands\n}\n" + kHelpers + kWalk +
         "  case $command in\n" + branches +
         "  esac\n}\n\n"
         "if [[ $funcstack[1] == _perf-compare ]]; then\n  _perf-compare \"$@\"\nelse\n"
         "  compdef _perf-compare perf-compare\nfi\n";
}

}  // namespace perf
