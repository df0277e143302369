#include <gtest/gtest.h>

#include "ci/cli/init/cmake_project.h"

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

/// The options that the branch asks for which one stands in behind these commands.
std::set<std::string> asked_for(const std::string& text) {
  std::vector<CMakeBranches> around;
  for (const CMakeCommand& command : read_cmake_commands(text)) {
    EXPECT_EQ(follow_branches(command, {"A", "B", "C"}, around), command.name != "set");
  }
  return around.empty() ? std::set<std::string>{"none"} : around.back().on;
}

TEST(CMakeCommands, KnowsWhichOptionsABranchAsksFor) {
  using Names = std::set<std::string>;
  EXPECT_EQ(asked_for("if(A AND NOT B AND other) set(x 1)"), Names{"A"});
  EXPECT_EQ(asked_for("if(A AND C)"), (Names{"A", "C"}));
  EXPECT_EQ(asked_for("if(C OR A)"), Names{"C"}) << "one is enough";
  EXPECT_EQ(asked_for("if(NOT A OR C)"), Names{}) << "which it is";
  EXPECT_EQ(asked_for("if(NOT A) else()"), Names{"A"});
  EXPECT_EQ(asked_for("if(NOT A) elseif(x)"), Names{"A"});
  EXPECT_EQ(asked_for("if(A) else()"), Names{});
  EXPECT_EQ(asked_for("if(NOT DEFINED A AND TARGET B AND C STREQUAL A)"), Names{});
  EXPECT_EQ(asked_for("if(A) if(B) endif() endif() endif() else()"), Names{"none"});
  EXPECT_EQ(asked_for("if(A) function(f) if(B) endif() endfunction()"), Names{"A"});
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
