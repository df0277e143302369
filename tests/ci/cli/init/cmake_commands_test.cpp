#include "ci/cli/init/cmake_commands.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

TEST(CMakeCommands, ReadsArgumentsQuotesBracketsAndComments) {
  const std::vector<CMakeCommand> commands = read_cmake_commands(R"(
# add_executable(commented out)
#[[ add_executable(also
commented) ]]
Project ( "my \"tool\"" VERSION 1.0 )
add_executable(bench a.cpp # add_executable(no)
  b.cpp)
if((A OR B) AND C)
set(text [=[ not ]] yet ]=])
)");
  ASSERT_EQ(commands.size(), 4u);
  EXPECT_EQ(commands[0].name, "project");
  EXPECT_EQ(commands[0].arguments, (std::vector<std::string>{"my \"tool\"", "VERSION", "1.0"}));
  EXPECT_EQ(commands[1].arguments, (std::vector<std::string>{"bench", "a.cpp", "b.cpp"}));
  EXPECT_EQ(commands[2].name, "if");
  EXPECT_EQ(commands[3].arguments, (std::vector<std::string>{"text", " not ]] yet "}));
}

TEST(CMakeCommands, WhatIsNoCMakeEnds) {
  for (const char* text : {"", "(", "add_executable(", "a(\"", "a([[", "#[[", "a(\\", "set(x (((",
                           "\xff\x00(", "))))", "a b c"}) {
    EXPECT_LE(read_cmake_commands(text).size(), 1u) << text;
  }
}

TEST(CMakeCommands, ExpandsWhatIsKnownAndEnds) {
  const CMakeVariables variables{{"NAME", "tool"}, {"SELF", "${SELF}${SELF}"}};
  EXPECT_EQ(expand_cmake("${NAME}_bench", variables), "tool_bench");
  EXPECT_EQ(expand_cmake("${OTHER}/${NAME}", variables), "${OTHER}/tool");
  EXPECT_EQ(expand_cmake("${SELF}", variables), "${SELF}${SELF}");
  EXPECT_EQ(expand_cmake("${NAME", variables), "${NAME");
}

}  // namespace
}  // namespace perf
