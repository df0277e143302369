#include <map>
#include <utility>

#include "ci/cli/manual/completion.h"

namespace perf {
namespace {

// The parts that do not depend on the command line. A word that comes from the repository reaches
// COMPREPLY through `printf %q` alone: readline inserts it as it stands, and Return runs the line.
constexpr const char* kRevisions = R"sh(
_perf_compare_offer() {  # WORD...: those that begin with what is typed
  local word quoted
  for word in "$@"; do
    printf -v quoted %q "$word"
    if [[ $word == "$typed"* || $quoted == "$typed"* ]]; then
      COMPREPLY+=("$before$quoted")
    fi
  done
}

_perf_compare_revisions() {
  local ref
  case $typed in
    *..*) before=${typed%..*}.. typed=${typed##*..} ;;  # a range: its second end
  esac
  _perf_compare_offer HEAD . baseline
  while IFS= read -r ref; do
    [[ $ref == -* ]] || _perf_compare_offer "$ref"
  done < <(git -C "$repository" for-each-ref --format='%(refname:short)' \
      refs/heads refs/tags refs/remotes 2>/dev/null)
}

_perf_compare_paths() {  # -f (files) or -d (folders)
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$typed")
}

_perf_compare_by_kind() {  # KIND [CHOICE...]
  case $1 in
    choice) _perf_compare_offer "${@:2}" ;;
    file) _perf_compare_paths -f ;;
    folder) _perf_compare_paths -d ;;
    revision) _perf_compare_revisions ;;
  esac
}
)sh";

constexpr const char* kMain = R"sh(
_perf_compare() {
  COMPREPLY=()
  local typed=${COMP_WORDS[COMP_CWORD]} before= previous=${COMP_WORDS[COMP_CWORD-1]}
  local command= count=0 repository=. index word option
  if [[ $typed == = ]]; then
    typed=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]} option=
    _perf_compare_takes_value "$word" && option=$word
    if [[ -n $option ]]; then
      ((index++))
      [[ ${COMP_WORDS[index]} == = ]] && ((index++))
      if [[ ($option == -C || $option == --repo) && index -lt COMP_CWORD ]]; then
        repository=${COMP_WORDS[index]/#\~\//$HOME/}
      fi
    elif [[ $word == -?* ]]; then
      :
    elif [[ -z $command && count -eq 0 ]] && _perf_compare_is_command "$word"; then
      command=$word
    else
      ((count++))
    fi
  done
  if _perf_compare_takes_value "$previous"; then
    _perf_compare_value "${command:-compare}" "$previous"
  elif [[ $typed == -* ]]; then
    _perf_compare_options "$command"
  else
    if [[ -z $command && count -eq 0 ]]; then
      _perf_compare_commands
    fi
    _perf_compare_argument "${command:-compare}" "$count"
  fi
}

complete -F _perf_compare perf-compare
)sh";

std::string kind_words(ValueKind kind, const std::vector<std::string>& choices) {
  switch (kind) {
    case ValueKind::choice:
      return "choice " + joined(choices, " ");
    case ValueKind::file:
      return "file";
    case ValueKind::folder:
      return "folder";
    case ValueKind::revision:
      return "revision";
    case ValueKind::text:
      break;
  }
  return "text";
}

std::string option_names(const std::vector<OptionEntry>& options) {
  std::vector<std::string> names;
  for (const OptionEntry& option : options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return joined(names, " ");
}

std::string options_function(const CommandTree& tree) {
  std::string text = "\n_perf_compare_options() {  # COMMAND\n  case $1 in\n";
  for (const CommandEntry& command : tree.commands) {
    const bool is_default = command.name == "compare";  // and so are the options of no command
    if (is_default) {
      text += "    '') _perf_compare_offer " + option_names(global_options(tree)) + " " +
              option_names(command.options) + " ;;\n";
    }
    text +=
        "    " + command.name + ") _perf_compare_offer " + option_names(command.options) + " ;;\n";
  }
  return text + "  esac\n}\n";
}

/// Which commands and options want which kind of value.
std::string value_function(const CommandTree& tree) {
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
  std::string text = "\n_perf_compare_value() {  # COMMAND OPTION\n  case \"$1 $2\" in\n";
  for (const auto& [kind, patterns] : places) {
    text += "    " + joined(patterns, " | \\\n    ") + ")\n      _perf_compare_by_kind " + kind +
            " ;;\n";
  }
  return text + "  esac\n}\n";
}

std::string argument_function(const CommandTree& tree) {
  std::string text =
      "\n_perf_compare_argument() {  # COMMAND COUNT: of those before\n"
      "  case \"$1 $2\" in\n";
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
  return text + "  esac\n}\n";
}

}  // namespace

std::string render_bash_completion(const CommandTree& tree) {
  std::vector<std::string> commands;
  for (const CommandEntry& command : tree.commands) {
    commands.push_back(command.name);
  }
  const std::string version = tree.version;
  return "# bash completion of perf-compare " + version +
         ": written by `perf-compare --completion bash`.\n" + kRevisions +
         "\n_perf_compare_commands() {\n  _perf_compare_offer " + joined(commands, " ") +
         "\n}\n\n_perf_compare_is_command() {\n  case $1 in\n    " + joined(commands, "|") +
         ") return 0 ;;\n  esac\n  return 1\n}\n\n_perf_compare_takes_value() {\n  case $1 in\n   "
         " " +
         joined(options_with_value(tree), "|") + ") return 0 ;;\n  esac\n  return 1\n}\n" +
         options_function(tree) + value_function(tree) + argument_function(tree) + kMain;
}

}  // namespace perf
