#include "schema/text/shell_words.h"

#include <gtest/gtest.h>

#include <map>

namespace perf {
namespace {

TEST(ShellWords, AreReadBackByAShell) {
  EXPECT_EQ(shell_word("training/mlp_stack"), "training/mlp_stack");
  EXPECT_EQ(shell_word("--layers=4"), "--layers=4");
  EXPECT_EQ(shell_word("A=b"), "'A=b'") << "an assignment where a command stands";
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b; rm -rf ~"), "'a b; rm -rf ~'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("M\xC3\xBCller"), "'M\xC3\xBCller'");
  EXPECT_EQ(shell_word("a\nb\x1B"), "$'a\\012b\\033'");
  EXPECT_EQ(shell_word("\xC2\x9B"), "$'\\302\\233'") << "a control of C1";
  EXPECT_EQ(shell_word("\xFF"), "$'\\377'") << "no UTF-8";
}

TEST(ShellWords, AreReadBackFromALine) {
  const std::vector<std::string> arguments{
      "perf-compare", "-w", "it's a 'glob'*", "",      "--layers=4", "A=b", "a\nb\x1B\\'",
      "\xFF",         "'",  "M\xC3\xBCller",  "$(id)", "\\"};
  std::string line;
  for (const std::string& argument : arguments) {
    line += (line.empty() ? "" : " ") + shell_word(argument);
  }
  EXPECT_EQ(shell_words_of(line), arguments) << line;
}

TEST(ShellWords, OfACommandAreSplitAsByAShell) {
  const auto words = [](const char* command) { return split_command(command).words; };
  using Words = std::vector<std::string>;
  EXPECT_EQ(words(" a  b\tc\n"), (Words{"a", "b", "c"}));
  EXPECT_EQ(words("a 'b  c' \"d 'e'\" f\\ g h''i '' a#b c~d --x=y"),
            (Words{"a", "b  c", "d 'e'", "f g", "hi", "", "a#b", "c~d", "--x=y"}));
  EXPECT_EQ(words(R"(a "b\"\$\\\n" '\$|*')"), (Words{"a", "b\"$\\\\n", "\\$|*"}));
  EXPECT_EQ(words("./a=b c"), (Words{"./a=b", "c"}));
  for (const auto& [command, syntax] : std::map<std::string, std::string>{{"a | b", "|"},
                                                                          {"a &", "&"},
                                                                          {"a;b", ";"},
                                                                          {"a > b", ">"},
                                                                          {"a $B", "$"},
                                                                          {"a \"$B\"", "$"},
                                                                          {"a `b`", "`"},
                                                                          {"a ?", "?"},
                                                                          {"a [b]", "["},
                                                                          {"a (b)", "("},
                                                                          {"a #b", "#"},
                                                                          {"a ~/b", "~"},
                                                                          {"A=b c", "A="}}) {
    EXPECT_EQ(split_command(command).of_shell, syntax) << command;
  }
  EXPECT_FALSE(split_command("a 'b").of_shell.empty());
  EXPECT_FALSE(split_command("a \"b").of_shell.empty());
}

TEST(ShellWords, RefuseOtherLines) {
  for (const char* line :
       {"",      "a  b",   " a",         "a ",    "a;b",       "a $(id)", "a `id`",  "a $HOME",
        "a ~",   "a > b",  "a & b",      "a | b", "a\nb",      "a 'b",    "a b\\",   "a \"b\"",
        "A=b c", "a $'b",  "a $'\\x41'", "'a'",   "a 'b'c",    "a #b",    "a {b,c}", "a *",
        "a\tb",  "a $'b'", "a 'b\nc'",   "a !b",  "a $'\\777'"}) {
    EXPECT_EQ(shell_words_of(line), std::nullopt) << line;
  }
}

}  // namespace
}  // namespace perf
