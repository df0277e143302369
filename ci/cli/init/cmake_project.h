#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ci/cli/init/proposal.h"

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

/// A program that a project adds.
struct CMakeProgram {
  std::string target;
  std::string file;                            ///< the CMakeLists.txt that adds it
  std::string folder;                          ///< where it is put, from the top of the checkout
  std::string output;                          ///< the name of its file there
  bool is_benchmark = false, is_test = false;  ///< by what it links
  std::set<std::string> switches;  ///< options that are off, and without which it is not there
  std::string hidden_by;  ///< a variable that it hangs on, and that the project sets to off
};

/// What the CMakeLists.txt of a project say, and the modules that they include.
struct CMakeProject {
  std::string root;   ///< the one that says project(); empty: there is none
  std::string build;  ///< the folder to build it in, from the top: nothing of the repository's
  std::string name;
  std::vector<CMakeProgram> programs;
  bool finds_benchmark = false;
  std::vector<std::string> unread;  ///< benchmarks whose names could not be followed
};

/// The project nearest to the top that has a benchmark, else the one nearest to it. Follows
/// add_subdirectory(), include(), if() and return() as far as names are plain. A benchmark that is
/// not seen to hang on an option about benchmarks gets all of them.
CMakeProject read_cmake_project(const SourceTree& tree);

}  // namespace perf
