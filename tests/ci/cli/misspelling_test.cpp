#include <gtest/gtest.h>

#include "ci/cli/options/command_tree.h"
#include "ci/cli/options/options.h"

namespace perf {
namespace {

std::string hint_of(const std::vector<std::string>& arguments) {
  try {
    parse_command_line(arguments);
  } catch (const UsageError& error) {
    return error.hint;
  }
  return "nothing was wrong";
}

TEST(Misspelling, OfAnOptionGetsASuggestion) {
  EXPECT_EQ(hint_of({"compare", "--thresold", "5%"}),
            "did you mean --threshold? perf-compare compare --help lists the options");
  EXPECT_EQ(hint_of({"v1", "v2", "--thresold=5%"}),
            "did you mean --threshold? perf-compare compare --help lists the options");
  EXPECT_EQ(hint_of({"trend", "--fial-on", "new"}),
            "did you mean --fail-on? perf-compare trend --help lists the options");
}

TEST(Misspelling, WithoutASuggestionPointsToTheHelp) {
  EXPECT_EQ(hint_of({"list", "--markdown", "x"}), "perf-compare list --help")
      << "list has nothing like it";
  EXPECT_EQ(hint_of({"pin"}), "perf-compare pin --help");
  EXPECT_EQ(hint_of({"v1", "v2", "--", "--thresold"}), "perf-compare compare --help");
  EXPECT_EQ(hint_of({"--man", "HEAD"}), "perf-compare --help");
}

TEST(Misspelling, OfACommandIsReadAsARevision) {
  const Options options = parse_command_line({"lsit", "--json", "x"});
  EXPECT_EQ(options.command, "compare");
  EXPECT_EQ(options.base, "lsit");
  EXPECT_EQ(options.likely_command, "list");
  EXPECT_EQ(with_likely_command({"no such revision", "lsit", "git branch"}, options).hint,
            "perf-compare list, if you meant this command\ngit branch");
  EXPECT_EQ(parse_command_line({"compar", "HEAD"}).likely_command, "compare");
  const Options help = parse_command_line({"help"});
  EXPECT_EQ(with_likely_command({"no such revision", "help", ""}, help).hint,
            "perf-compare --help, if you want help");
}

TEST(Misspelling, IsNotSuspectedInKnownNames) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"main"},
                                             {"HEAD~1", "HEAD"},
                                             {"baseline"},
                                             {"v1.2"},
                                             {"compare", "lsit"},
                                             {"list"}}) {
    EXPECT_EQ(parse_command_line(arguments).likely_command, "");
  }
  const UsageError error{"no such revision", "v1", "hint"};
  EXPECT_EQ(with_likely_command(error, parse_command_line({"v1"})).hint, "hint");
}

}  // namespace
}  // namespace perf
