#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// `name(argument argument)` of a CMakeLists.txt; the name in small letters.
struct CMakeCommand {
  std::string name;
  std::vector<std::string> arguments;  ///< quotes and brackets taken off, variables as written
};

/// The commands of a CMakeLists.txt (cmake-language(7)), in their order; comments are passed over.
/// What is no CMake gives fewer commands, never an error.
std::vector<CMakeCommand> read_cmake_commands(std::string_view text);

/// What the branch of an if() that is being read asks for, and its other one.
struct CMakeBranches {
  std::set<std::string> on;       ///< options without which it is not reached
  std::set<std::string> else_on;  ///< those without which the other one is not
  std::set<std::string> names;    ///< other plain names that have to be true for it
};

/// Takes in a command that is one of if()'s, or begins or ends a function, which asks for nothing:
/// `around` are the branches that one stands in. False of any other command. `switches` are options
/// that are off unless they are given; of an OR one is enough.
bool follow_branches(const CMakeCommand& command, const std::set<std::string>& switches,
                     std::vector<CMakeBranches>& around);

using CMakeVariables = std::map<std::string, std::string>;

/// `text` with each ${NAME} that is known replaced; unknown ones stay as they are.
std::string expand_cmake(std::string text, const CMakeVariables& variables);

}  // namespace perf
