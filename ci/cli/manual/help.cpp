#include "ci/cli/manual/help.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "ci/cli/manual/paragraph.h"

namespace perf {
namespace {

constexpr std::size_t kFirstColumn = 31;
constexpr std::size_t kCommandColumn = 13;
constexpr std::size_t kOptionColumn = 28;

/// The first group as a newcomer types it.
struct FirstStep {
  std::string_view typed, what;
};

const std::map<std::string_view, FirstStep>& first_steps() {
  static const std::map<std::string_view, FirstStep> steps{
      {"init", {"perf-compare init", "write a config for this repository"}},
      {"compare", {"perf-compare [BASE] [HEAD]", "is HEAD slower or hungrier than BASE?"}},
      {"selftest", {"perf-compare selftest", "prove that the gate can fail"}},
      {"collect", {"perf-compare collect HEAD", "every night: measure, and keep it"}},
      {"trend", {"perf-compare trend", "what moved since, when, by which commit"}}};
  return steps;
}

std::string in_columns(std::string_view text) {
  std::string lines;
  for (const std::string& line : wrapped(text, kHelpColumns)) {
    lines += line + "\n";
  }
  return lines;
}

std::string first_commands(const std::vector<CommandEntry>& commands) {
  std::string text;
  for (const CommandEntry& command : commands) {
    const auto at = first_steps().find(command.name);
    if (at != first_steps().end()) {
      text += definition(std::string(at->second.typed), at->second.what, kFirstColumn);
    }
  }
  return text;
}

std::string examples_text(const std::vector<Example>& examples) {
  std::string text;
  for (const Example& example : examples) {
    text += "  " + example.command + "\n      " + example.what + "\n";
  }
  return text.empty() ? text : "\nExamples\n" + text;
}

std::string exit_status_text() {
  std::string text = "\nExit status\n";
  for (const ExitStatus& status : exit_statuses()) {
    text += definition(status.code, status.meaning, kCommandColumn);
  }
  return text;
}

}  // namespace

const std::vector<ExitStatus>& exit_statuses() {
  static const std::vector<ExitStatus> statuses{
      {"0", "nothing regressed"},
      {"1", "a regression, a missed target, a failed output check; --fail-on is met"},
      {"2", "asked wrongly: options, config, a name that leads nowhere"},
      {"3", "could not measure"},
      {"4", "inconclusive or missing, only with --strict"},
      {"130, 143", "interrupted; what was measured is kept"}};
  return statuses;
}

std::string spelled(const OptionEntry& option) {
  std::string text = option.names.front().starts_with("--") ? "    " : "";
  for (const std::string& name : option.names) {
    text += (&name == &option.names.front() ? "" : ", ") + name;
  }
  return option.value.empty() ? text : text + " " + option.value;
}

std::string usage_of(const CommandTree& tree, const CommandEntry& command) {
  std::string text = tree.program + " " + command.name + " [OPTIONS]";
  for (const ArgumentEntry& argument : command.arguments) {
    const std::string name = argument.name + (argument.several ? "..." : "");
    text += " " + (argument.required ? name : "[" + name + "]");
  }
  return text;
}

std::string render_help(const CommandTree& tree) {
  std::string text = in_columns(tree.description);
  text += "\n";
  for (const HelpGroup<CommandEntry>& group : help_groups(tree.commands, "Other commands")) {
    if (group.title == kFirstCommands) {
      text += first_commands(group.entries) + "\n";
      continue;
    }
    text += group.title + "\n";
    for (const CommandEntry& command : group.entries) {
      text += definition(command.name, command.summary, kCommandColumn);
    }
  }
  text += "\nBASE and HEAD: revisions, pinned baselines, `.` (the working tree), `baseline`.\n";
  text += "Options of a comparison: perf-compare compare --help; so for each command.\n";
  text += "Also: --version, --man, --completion bash|zsh|fish.\n";
  return text + exit_status_text();
}

std::string render_command_help(const CommandTree& tree, const std::string& name) {
  const auto at = std::ranges::find_if(
      tree.commands, [&name](const CommandEntry& one) { return one.name == name; });
  if (at == tree.commands.end()) {
    return render_help(tree);
  }
  std::string text = in_columns(usage_of(tree, *at));
  text += "\n" + in_columns(at->summary);
  if (!at->arguments.empty()) {
    text += "\n";
  }
  for (const ArgumentEntry& argument : at->arguments) {
    text += definition(argument.name, argument.description, kOptionColumn);
  }
  for (const HelpGroup<OptionEntry>& group : help_groups(at->options, "Other options")) {
    text += "\n" + group.title + "\n";
    for (const OptionEntry& option : group.entries) {
      text += definition(spelled(option), option.description, kOptionColumn);
    }
  }
  text += examples_text(at->examples);
  for (const std::string& paragraph : paragraphs(at->footer)) {
    text += "\n" + in_columns(paragraph);
  }
  return at->footer.empty() ? text + exit_status_text() : text;
}

}  // namespace perf
