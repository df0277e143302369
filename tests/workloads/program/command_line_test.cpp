#include "workloads/program/command_line.h"

#include <gtest/gtest.h>

#include "tests/thrown_by.h"
#include "tests/words.h"
#include "workloads/program/error.h"

namespace perf::workloads {
namespace {

using Verb = CommandLine::Verb;

TEST(CommandLine, ReadsEveryVerb) {
  EXPECT_EQ(read_command_line({"list"}).verb, Verb::list);
  EXPECT_EQ(read_command_line({"--help"}).verb, Verb::help);
  EXPECT_EQ(read_command_line({"run", "--help"}).verb, Verb::help);
  EXPECT_EQ(read_command_line({"run", "w", "-h"}).verb, Verb::help);
  EXPECT_EQ(read_command_line({"--version"}).verb, Verb::version);
  EXPECT_EQ(read_command_line({"describe", "w"}).workload, "w");
  EXPECT_EQ(read_command_line({"memory-model"}).verb, Verb::memory_model);
  EXPECT_EQ(read_command_line({"settings", "w", "--size", "ci"}).verb, Verb::settings);
  EXPECT_EQ(read_command_line({"settings", "w", "--size", "ci"}).options.at("size"), "ci");
  EXPECT_EQ(read_command_line({"trace", "w", "f", "--steps", "2"}).verb, Verb::trace);
  EXPECT_EQ(read_command_line({"trace", "w", "f", "--steps", "2"}).file, "f");
  EXPECT_EQ(read_command_line({"memory-model", "m"}).workload, "m");
  EXPECT_EQ(read_command_line({"memory-model", "--batch", "2"}).options.at("batch"), "2");
  EXPECT_EQ(read_command_line({"suite"}).verb, Verb::suite);
  EXPECT_EQ(read_command_line({"suite", "micro", "--help"}).verb, Verb::help);
}

TEST(CommandLine, ASuiteHasPatternsAndOptionsInAnyOrder) {
  EXPECT_TRUE(read_command_line({"suite"}).patterns.empty());
  const CommandLine line =
      read_command_line({"suite", "micro", "--size", "smoke", "inference/*", "--steps=2"});
  EXPECT_EQ(line.patterns, (std::vector<std::string>{"micro", "inference/*"}));
  EXPECT_EQ(line.options, (std::map<std::string, std::string>{{"size", "smoke"}, {"steps", "2"}}));
}

TEST(CommandLine, ReadsOptionsInBothForms) {
  const CommandLine line = read_command_line({"run", "w", "--size", "smoke", "--layers=2"});
  EXPECT_EQ(line.verb, Verb::run);
  EXPECT_EQ(line.workload, "w");
  EXPECT_EQ(line.options, (std::map<std::string, std::string>{{"size", "smoke"}, {"layers", "2"}}));
}

TEST(CommandLine, RefusesInvalidArguments) {
  for (const Words& arguments : words_of_parts(
           "; rnu; run; describe; run --size; run w layers; run w --layers; run w --a 1 --a 2; "
           "run w --a-b 1 --a_b 2; list all; describe w x; memory-model m n; memory-model --batch; "
           "trace w --steps 2; suite --size; suite --size ci --size ci; run w --")) {
    SCOPED_TRACE(arguments.empty() ? "nothing" : arguments.back());
    const auto error = thrown_by<Error>([&] { read_command_line(arguments); });
    EXPECT_FALSE(error.what_happened.empty() || error.subject.empty() || error.hint.empty());
  }
}

}  // namespace
}  // namespace perf::workloads
