#include "ci/cli/manual/man_page.h"

#include <algorithm>
#include <cctype>

#include "ci/cli/manual/examples.h"
#include "ci/cli/manual/help.h"
#include "ci/cli/manual/man_page_texts.h"
#include "ci/cli/manual/paragraph.h"

namespace perf {
namespace {

std::string bold(std::string_view text) {
  return "\\fB" + roff_text(text) + "\\fR";
}
std::string italic(std::string_view text) {
  return "\\fI" + roff_text(text) + "\\fR";
}

std::string section(std::string_view title) {
  return ".SH " + std::string(title) + "\n";
}

/// A term and what it means; the term comes as roff.
std::string tagged(const std::string& term, std::string_view text) {
  return ".TP\n" + term + "\n" + roff_text(text) + "\n";
}

std::string tagged(const std::vector<ManualTerm>& terms) {
  std::string text;
  for (const ManualTerm& one : terms) {
    text += tagged(bold(one.term), one.text);
  }
  return text;
}

std::string option_text(const OptionEntry& option) {
  std::string term;
  for (const std::string& name : option.names) {
    term += (term.empty() ? "" : ", ") + bold(name);
  }
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

std::string examples_text(const std::vector<Example>& examples) {
  std::string text;
  for (const Example& example : examples) {
    text += tagged(bold(example.command), example.what);
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

std::string synopsis() {
  return section("SYNOPSIS") + bold("perf-compare") + " [" + italic("options") + "] [" +
         italic("BASE") + " [" + italic("HEAD") + "]]\n.br\n" + bold("perf-compare") + " " +
         italic("command") + " [" + italic("options") + "] [" + italic("arguments") + "]\n";
}

}  // namespace

std::string roff_text(std::string_view text) {
  std::string result;
  for (const char one : text) {
    switch (one) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '\n':
        result += ' ';
        break;
      default:
        result += one;
    }
  }
  return !result.empty() && result.front() == '.' ? "\\&" + result : result;
}

std::string render_man_page(const CommandTree& tree) {
  std::string text = ".TH PERF\\-COMPARE 1 " + std::string(kManualDate) + " \"perf\\-compare " +
                     roff_text(tree.version) + "\" \"User Commands\"\n";
  text += section("NAME") + "perf\\-compare \\- was it slower?\n" + synopsis();
  text += section("DESCRIPTION") + roff_text(tree.description) + "\n";
  for (const std::string_view paragraph : manual_description()) {
    text += ".PP\n" + roff_text(paragraph) + "\n";
  }
  text += section("COMMANDS");
  for (const CommandEntry& command : tree.commands) {
    text += command_text(command);
  }
  text += section("OPTIONS") + "These stand alone, without a command.\n";
  for (const OptionEntry& option : tree.options) {
    text += option_text(option);
  }
  text += section("EXIT STATUS");
  for (const ExitStatus& status : exit_statuses()) {
    text += tagged(bold(status.code), status.meaning);
  }
  text += section("ENVIRONMENT") + tagged(manual_environment());
  text += section("FILES") + tagged(manual_files());
  text += section("EXAMPLES");
  for (const CommandEntry& command : tree.commands) {
    text += examples_text(examples_of(command.name));
  }
  text +=
      section("SEE ALSO") + ".BR git (1),\n.BR git\\-bisect (1),\n.BR perf (1),\n.BR sqlite3 (1)\n";
  return text;
}

}  // namespace perf
