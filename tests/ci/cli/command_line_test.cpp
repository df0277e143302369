#include "ci/cli/command_line.h"

#include <gtest/gtest.h>

#include "schema/error.h"

namespace perf {
namespace {

TEST(CommandLine, NothingMeansBaselineHead) {
  const Options options = parse_command_line({});
  EXPECT_EQ(options.command, Command::compare);
  EXPECT_EQ(options.base, "baseline");
  EXPECT_EQ(options.head, "HEAD");
}

TEST(CommandLine, TwoNamesMeanCompare) {
  const Options options = parse_command_line({"v1", "v2"});
  EXPECT_EQ(options.command, Command::compare);
  EXPECT_EQ(options.base, "v1");
  EXPECT_EQ(options.head, "v2");
}

TEST(CommandLine, OptionsMayStandBeforeTheCommand) {
  const Options options = parse_command_line({"-C", "pins", "--reason=because", "pin", "release"});
  EXPECT_EQ(options.command, Command::pin);
  EXPECT_EQ(options.repo, "pins");
  EXPECT_EQ(options.name, "release");
  EXPECT_EQ(options.reason, "because");
}

TEST(CommandLine, CompareReachesARevisionNamedLikeACommand) {
  const Options options = parse_command_line({"compare", "judge", "trend"});
  EXPECT_EQ(options.base, "judge");
  EXPECT_EQ(options.head, "trend");
}

TEST(CommandLine, NamesOfCommandsToComeAreKept) {
  EXPECT_THROW(parse_command_line({"trend", "HEAD"}), UsageError);
}

TEST(CommandLine, ReadsQuantities) {
  const Options options =
      parse_command_line({"a", "b", "--threshold", "2.5%", "--alpha=0.1%", "--budget", "90s",
                          "--pairs", "16:51", "-w", "x/*", "-w", "y"});
  EXPECT_DOUBLE_EQ(*options.threshold, 0.025);
  EXPECT_DOUBLE_EQ(*options.alpha, 0.001);
  EXPECT_DOUBLE_EQ(*options.budget, 90);
  EXPECT_EQ(*options.pairs, std::make_pair(16, 51));
  EXPECT_EQ(options.workloads, (std::vector<std::string>{"x/*", "y"}));
}

TEST(CommandLine, OptionsAmongNamesDoNotEatThem) {
  const Options options = parse_command_line({"-w", "x", "v1", "--metric", "step_time", "v2"});
  EXPECT_EQ(options.base, "v1");
  EXPECT_EQ(options.head, "v2");
  EXPECT_EQ(options.workloads, std::vector<std::string>{"x"});
}

TEST(CommandLine, RefusesWhatItDoesNotKnow) {
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"a", "b", "c"},
                                             {"--no-such-option"},
                                             {"a", "b", "--threshold", "fast"},
                                             {"a", "b", "--threshold", "0%"},
                                             {"a", "b", "--alpha", "60%"},
                                             {"a", "b", "--pairs", "24:16"},
                                             {"a", "b", "--pairs", "0"},
                                             {"a", "b", "--size", "huge"},
                                             {"a", "b", "--seed", "-1"},
                                             {"a", "b", "--seed", "9007199254740993"},
                                             {"a", "b", "--seed", "999999999999999999999999999999"},
                                             {"a", "b", "--color", "pink"},
                                             {"judge"},
                                             {"pin"}})
    EXPECT_THROW(parse_command_line(wrong), UsageError) << wrong.back();
}

TEST(CommandLine, HelpAndVersionArePrinted) {
  EXPECT_NE(parse_command_line({"--help"}).print.find("baseline"), std::string::npos);
  EXPECT_NE(parse_command_line({"judge", "--help"}).print.find("--together"), std::string::npos);
  EXPECT_NE(parse_command_line({"judge", "--help"}).print.find("perf-compare judge"),
            std::string::npos);
  EXPECT_EQ(parse_command_line({"--version"}).print.rfind("perf-compare ", 0), 0u);
  EXPECT_EQ(parse_command_line({"--help"}).command, Command::print);
}

}  // namespace
}  // namespace perf
