#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "ci/cli/manual/manual.h"
#include "ci/cli/options/command_tree.h"
#include "ci/cli/options/options.h"
#include "reporter/escape/visible.h"
#include "tests/contains.h"

namespace perf {
namespace {

std::string help_of(const std::vector<std::string>& arguments) {
  return parse_command_line(arguments).print;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

void expect_fits(const std::string& text, const std::string& what) {
  for (const std::string& line : lines_of(text)) {
    EXPECT_LE(reporter::display_width(line), kHelpColumns) << what << ": " << line;
  }
}

/// The names of all commands, by the completion script: it is written from the parser's own tree.
std::vector<std::string> all_commands() {
  const std::string script = help_of({"--completion", "bash"});
  const std::string begin = "_perf_compare_commands() {\n  _perf_compare_offer ";
  const std::size_t at = script.find(begin) + begin.size();
  std::istringstream words(script.substr(at, script.find('\n', at) - at));
  std::vector<std::string> names;
  for (std::string word; words >> word;) {
    names.push_back(word);
  }
  return names;
}

TEST(Help, ShowsEveryCommandOnOneScreen) {
  const std::string help = help_of({"--help"});
  expect_fits(help, "--help");
  const std::vector<std::string> lines = lines_of(help);
  EXPECT_LE(lines.size(), 50u) << help;
  ASSERT_GE(all_commands().size(), 18u);
  for (const std::string& command : all_commands()) {
    const std::string typed =
        command == "compare" ? "perf-compare [BASE] [HEAD]" : "perf-compare " + command;
    const auto shows = [&](const std::string& line) {
      return line.rfind("  " + command + " ", 0) == 0 || line.rfind("  " + typed + " ", 0) == 0;
    };
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(), shows), 1) << command << "\n" << help;
  }
  EXPECT_FALSE(contains(help, "Other commands")) << "give it a group";
}

TEST(Help, BeginsWithTheFirstCommands) {
  const std::vector<std::string> lines = lines_of(help_of({"--help"}));
  const auto first = std::find(lines.begin(), lines.end(), "") + 1;
  std::vector<std::string> begins;
  for (auto line = first; line != lines.end() && !line->empty(); ++line) {
    begins.push_back(line->substr(2, line->find("  ", 2) - 2));
  }
  EXPECT_EQ(begins, (std::vector<std::string>{"perf-compare ab ./old ./new", "perf-compare init",
                                              "perf-compare [BASE] [HEAD]", "perf-compare selftest",
                                              "perf-compare collect HEAD", "perf-compare trend"}));
}

TEST(Help, OfACommandFitsAndHasHeadings) {
  for (const std::string& command : all_commands()) {
    const std::string help = help_of({command, "--help"});
    expect_fits(help, command);
    EXPECT_EQ(help.rfind("perf-compare " + command, 0), 0u) << help;
    EXPECT_TRUE(contains(help, "Exit status"));
    EXPECT_FALSE(contains(help, "Other options")) << "give it a heading";
  }
  EXPECT_TRUE(contains(help_of({"compare", "--help"}), "--pairs [MIN:]MAX"));
}

TEST(Help, ShowsCommandsWithoutAGroup) {
  CommandTree tree{"perf-compare", "1", "Tells.", {}, {}};
  tree.commands.push_back({"shiny", "Something new", "", {}, {}});
  const std::string help = render_help(tree);
  EXPECT_TRUE(contains(help, "Other commands\n  shiny      Something new\n"));
  const CommandEntry command{
      "shiny", "", "", {}, {{{"--gleam"}, "", ValueKind::text, {}, false, "So"}}};
  const std::string command_help = render_command_help(tree, command);
  EXPECT_TRUE(contains(command_help, "Other options\n      --gleam"));
}

/// Splits as a shell would: blanks, and single quotes.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char one : command + " ") {
    if (one == '\'') {
      quoted = !quoted;
    } else if (one == ' ' && !quoted) {
      words.push_back(word);
      word.clear();
    } else {
      word += one;
    }
  }
  return words;
}

TEST(Help, HasExamplesThatParse) {
  std::size_t count = 0;
  for (const std::string& command : all_commands()) {
    for (const Example& example : command_named(command)->examples) {
      std::vector<std::string> words = words_of(example.command);
      ASSERT_EQ(words.front(), "perf-compare");
      words.erase(words.begin());
      EXPECT_NO_THROW(parse_command_line(words)) << example.command;
      expect_fits("  " + example.command, command);
      ++count;
    }
  }
  EXPECT_GT(count, 20u);
}

TEST(Paragraph, WrapsAndSeparatesTheExitStatus) {
  EXPECT_EQ(wrapped("one two  three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("longerthanthat x", 5), (std::vector<std::string>{"longerthanthat", "x"}));
  EXPECT_EQ(paragraphs("It goes\non.\nExit status: 0\nfine."),
            (std::vector<std::string>{"It goes on.", "Exit status: 0 fine."}));
  EXPECT_EQ(paragraphs("Exit status: 0."), std::vector<std::string>{"Exit status: 0."});
  EXPECT_EQ(paragraphs(""), std::vector<std::string>{});
}

}  // namespace
}  // namespace perf
