#include "ci/cli/manual/completion.h"

namespace perf {
namespace {

/// Text in single quotes, in which fish reads \' and \\.
std::string fish_quoted(std::string_view text) {
  std::string result = "'";
  for (const char one : text) {
    if (one == '\'' || one == '\\') {
      result += '\\';
    }
    result += one == '\n' ? ' ' : one;
  }
  return result + "'";
}

constexpr const char* kPlace = R"sh(
# Sets the command on the line, how many arguments of it stand before the cursor, and the
# repository. An empty command: none was named, which means compare.
function __perf_compare_look
    set -g __perf_compare_command ''
    set -g __perf_compare_count 0
    set -g __perf_compare_repository .
    set -l words (commandline -opc)
    set -e words[1]
    set -l option ''
    for word in $words
        if test -n "$option"
            contains -- $option -C --repo
            and set -g __perf_compare_repository (string replace -r '^~/' "$HOME/" -- $word)
            set option ''
        else if contains -- $word $__perf_compare_valued
            set option $word
        else if string match -q -- '-?*' $word
            continue
        else if test -z "$__perf_compare_command" -a $__perf_compare_count = 0
            and contains -- $word $__perf_compare_names
            set -g __perf_compare_command $word
        else
            set -g __perf_compare_count (math $__perf_compare_count + 1)
        end
    end
end

function __perf_compare_needs_command
    __perf_compare_look
    test -z "$__perf_compare_command" -a $__perf_compare_count = 0
end

# COMMAND: it is this one; compare, where none was named.
function __perf_compare_in
    __perf_compare_look
    test "$__perf_compare_command" = $argv[1]
    or test -z "$__perf_compare_command" -a $argv[1] = compare
end

# COMMAND COUNT: so many arguments stand before the cursor; or that many and more.
function __perf_compare_at
    __perf_compare_in $argv[1]
    and test $__perf_compare_count = $argv[2]
end

function __perf_compare_from
    __perf_compare_in $argv[1]
    and test $__perf_compare_count -ge $argv[2]
end

function __perf_compare_revisions
    __perf_compare_look
    set -l typed (commandline -ct)
    set -l before (string match -r '^.*\.\.' -- $typed)
    for name in HEAD . baseline (git -C $__perf_compare_repository for-each-ref \
            --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)
        string match -q -- '-*' $name
        or printf '%s\n' "$before$name"
    end
end

complete -c perf-compare -f
)sh";

std::string value_of(ValueKind kind, const std::vector<std::string>& choices) {
  switch (kind) {
    case ValueKind::choice:
      return " -a " + fish_quoted(joined(choices, " "));
    case ValueKind::file:
      return " -F";
    case ValueKind::folder:
      return " -a '(__fish_complete_directories)'";
    case ValueKind::revision:
      return " -a '(__perf_compare_revisions)'";
    case ValueKind::text:
      break;
  }
  return "";
}

std::string option_line(const std::string& condition, const OptionEntry& option) {
  std::string text = "complete -c perf-compare -n " + fish_quoted(condition);
  for (const std::string& name : option.names) {
    const bool is_long = name.rfind("--", 0) == 0;
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
  std::string names, lines;
  for (const OptionEntry& option : global_options(tree)) {
    lines += option_line("__perf_compare_needs_command", option);
  }
  for (const CommandEntry& command : tree.commands) {
    names += " " + command.name;
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
  const std::string version = tree.version;
  return "# fish completion of perf-compare " + version +
         ": written by `perf-compare --completion fish`.\n\nset -g __perf_compare_names" + names +
         "\nset -g __perf_compare_valued " + joined(options_with_value(tree), " ") + "\n" + kPlace +
         lines;
}

}  // namespace perf
