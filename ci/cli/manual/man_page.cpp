#include <map>

#include "ci/cli/manual/manual.h"
#include "schema/text/lists.h"

namespace perf {

extern const char* const kManualPage;  // perf-compare.1

namespace {

std::string bold(std::string_view text) {
  return "\\fB" + roff_text(text) + "\\fR";
}
std::string italic(std::string_view text) {
  return "\\fI" + roff_text(text) + "\\fR";
}

/// A term (roff) and its meaning.
std::string tagged(const std::string& term, std::string_view text) {
  return ".TP\n" + term + "\n" + roff_text(text) + "\n";
}

std::string option_text(const OptionEntry& option) {
  std::string term = joined(option.names, ", ", [](const std::string& name) { return bold(name); });
  if (!option.value.empty()) {
    term += " " + italic(option.value);
  }
  return tagged(term, option.description);
}

std::string usage_text(const CommandEntry& command) {
  std::string text = bold("perf-compare " + command.name) + " [" + italic("options") + "]";
  for (const ArgumentEntry& argument : command.arguments) {
    const std::string name = italic(argument.name) + (argument.several ? " ..." : "");
    text += argument.required ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string command_text(const CommandEntry& command) {
  std::string text = ".SS " + roff_text(command.name) + "\n" + usage_text(command) + "\n.PP\n" +
                     roff_text(command.summary) + "\n";
  for (const ArgumentEntry& argument : command.arguments) {
    text += tagged(italic(argument.name), argument.description);
  }
  for (const OptionEntry& option : command.options) {
    text += option_text(option);
  }
  for (const std::string& paragraph : paragraphs(command.footer)) {
    text += ".PP\n" + roff_text(paragraph) + "\n";
  }
  return text;
}

}  // namespace

std::string roff_text(std::string_view text) {
  static const std::map<char, std::string_view> escapes{
      {'\\', "\\e"},  {'-', "\\-"},   {'`', "\\(ga"}, {'\'', "\\(aq"},
      {'^', "\\(ha"}, {'~', "\\(ti"}, {'\n', " "}};
  std::string result;
  for (const char one : text) {
    const auto escape = escapes.find(one);
    result += escape == escapes.end() ? std::string_view(&one, 1) : escape->second;
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

// The date of the page is that of its last change, so that builds are reproducible.
std::string render_man_page(const CommandTree& tree) {
  std::string commands, options, statuses, examples;
  for (const CommandEntry& command : tree.commands) {
    commands += command_text(command);
    for (const Example& example : command.examples) {
      examples += tagged(bold(example.command), example.what);
    }
  }
  for (const OptionEntry& option : tree.options) {
    options += option_text(option);
  }
  for (const ExitStatus& status : exit_statuses()) {
    statuses += tagged(bold(status.code), status.meaning);
  }
  return filled(kManualPage, {{"VERSION", roff_text(tree.version)},
                              {"DESCRIPTION", roff_text(tree.description)},
                              {"COMMANDS", commands},
                              {"OPTIONS", options},
                              {"EXIT_STATUS", statuses},
                              {"EXAMPLES", examples}});
}

}  // namespace perf
