#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "ci/cli/manual/manual.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr std::size_t kFirstColumn = 31;
constexpr std::size_t kCommandColumn = 13;
constexpr std::size_t kOptionColumn = 28;

/// The first group as complete command lines.
const std::map<std::string_view, Example>& first_steps() {
  static const std::map<std::string_view, Example> steps{
      {"ab", {"perf-compare ab ./old ./new", "two commands: is the second slower?"}},
      {"init", {"perf-compare init", "write a config for this repository"}},
      {"compare", {"perf-compare [BASE] [HEAD]", "is HEAD slower, or does it use more memory?"}},
      {"selftest", {"perf-compare selftest", "check that regressions are detected"}},
      {"collect", {"perf-compare collect HEAD", "every night: measure and store"}},
      {"trend", {"perf-compare trend", "changes along history, and their commits"}}};
  return steps;
}

std::string in_columns(std::string_view text) {
  return joined(wrapped(text, kHelpColumns), "",
                [](const std::string& line) { return line + "\n"; });
}

std::string first_commands(const std::vector<CommandEntry>& commands) {
  std::string text;
  for (const CommandEntry& command : commands) {
    if (command.group == kFirstCommands) {
      const Example& step = first_steps().at(command.name);
      text += definition(step.command, step.what, kFirstColumn);
    }
  }
  return text.empty() ? text : text + "\n";
}

std::string examples_text(const std::vector<Example>& examples) {
  const std::string text = joined(examples, "", [](const Example& example) {
    return "  " + example.command + "\n      " + example.what + "\n";
  });
  return text.empty() ? text : "\nExamples\n" + text;
}

std::string exit_status_text() {
  return "\nExit status\n" + joined(exit_statuses(), "", [](const ExitStatus& status) {
           return definition(status.code, status.meaning, kCommandColumn);
         });
}

/// "-C, --repo DIR"; a long name alone stands below the others: "    --db FILE".
std::string spelled(const OptionEntry& option) {
  return (option.names.front().starts_with("--") ? "    " : "") + joined(option.names, ", ") +
         (option.value.empty() ? "" : " ") + option.value;
}

/// "perf-compare trend [OPTIONS] [REV]".
std::string usage_of(const CommandTree& tree, const CommandEntry& command) {
  std::string text = tree.program + " " + command.name + " [OPTIONS]";
  for (const ArgumentEntry& argument : command.arguments) {
    const std::string name = argument.name + (argument.several ? "..." : "");
    text += " " + (argument.required ? name : "[" + name + "]");
  }
  return text;
}

/// The heading before the first entry of a group; entries without a group stand under `others`.
std::string heading(std::string_view group, std::string_view others, std::string& above) {
  const std::string title(group.empty() ? others : group);
  return title == std::exchange(above, title) ? "" : title + "\n";
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::istringstream words{std::string(text)};
  std::vector<std::string> lines;
  for (std::string word; words >> word;) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > columns) {
      lines.push_back(word);
    } else {
      lines.back() += " " + word;
    }
  }
  return lines;
}

std::vector<std::string> paragraphs(std::string_view footer) {
  const std::size_t status = std::min(footer.find("Exit status:"), footer.size());
  std::vector<std::string> found;
  for (const std::string_view part : {footer.substr(0, status), footer.substr(status)}) {
    std::string paragraph(trimmed(part, " \n"));
    std::ranges::replace(paragraph, '\n', ' ');
    if (!paragraph.empty()) {
      found.push_back(std::move(paragraph));
    }
  }
  return found;
}

std::string definition(const std::string& term, std::string_view explanation, std::size_t column) {
  std::string text = "  " + term;
  bool below = text.size() + 2 > column;
  for (const std::string& line : wrapped(explanation, kHelpColumns - column)) {
    if (below) {
      text += "\n" + std::string(column, ' ');
    } else {
      text.append(column - text.size(), ' ');
    }
    text += line;
    below = true;
  }
  return text + "\n";
}

const std::vector<ExitStatus>& exit_statuses() {
  static const std::vector<ExitStatus> statuses{
      {"0", "nothing regressed"},
      {"1", "regression, missed target, failed output check, --fail-on matches"},
      {"2", "usage error: invalid option, config or revision"},
      {"3", "could not measure, or nothing could be compared"},
      {"4", "inconclusive, incomparable or missing results, only with --strict"},
      {"130, 143", "interrupted; finished measurements are kept"}};
  return statuses;
}

std::string render_help(const CommandTree& tree) {
  std::string text = in_columns(tree.description) + "\n" + first_commands(tree.commands);
  std::string above;
  for (const CommandEntry& command : tree.commands) {
    if (command.group != kFirstCommands) {
      text += heading(command.group, "Other commands", above) +
              definition(command.name, command.summary, kCommandColumn);
    }
  }
  text += "\nBASE and HEAD: revisions, pinned baselines, `.` (the working tree), `baseline`.\n";
  text += "Options of a command: perf-compare COMMAND --help (perf-compare compare --help).\n";
  text += "Also: --version, --man, --completion bash|zsh|fish.\n";
  return text + exit_status_text();
}

std::string render_command_help(const CommandTree& tree, const CommandEntry& command) {
  std::string text = in_columns(usage_of(tree, command)) + "\n" + in_columns(command.summary);
  text += command.arguments.empty() ? "" : "\n";
  for (const ArgumentEntry& argument : command.arguments) {
    text += definition(argument.name, argument.description, kOptionColumn);
  }
  std::string above;
  for (const OptionEntry& option : command.options) {
    const std::string title = heading(option.group, "Other options", above);
    text += (title.empty() ? "" : "\n") + title +
            definition(spelled(option), option.description, kOptionColumn);
  }
  text += examples_text(command.examples);
  for (const std::string& paragraph : paragraphs(command.footer)) {
    text += "\n" + in_columns(paragraph);
  }
  return command.footer.empty() ? text + exit_status_text() : text;
}

}  // namespace perf
