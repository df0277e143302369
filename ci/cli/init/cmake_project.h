#pragma once

#include <set>
#include <string>
#include <vector>

#include "ci/cli/init/proposal.h"

namespace perf {

/// A program that a project adds.
struct CMakeProgram {
  std::string target;
  std::string file;                            ///< the CMakeLists.txt that adds it
  std::string folder;                          ///< where it is put, from the top of the checkout
  bool is_benchmark = false, is_test = false;  ///< by what it links
  std::set<std::string> switches;  ///< options that are off, and without which it is not there
  std::string hidden_by;  ///< a variable that it hangs on, and that the project sets to off
};

/// What the CMakeLists.txt of a project say, and the modules that they include.
struct CMakeProject {
  std::string root;  ///< the one nearest to the top that says project(); empty: there is none
  std::string name;
  std::vector<CMakeProgram> programs;
  bool finds_benchmark = false;
  std::vector<std::string> unread;  ///< benchmarks whose names could not be followed
};

/// Follows add_subdirectory(), include(), if() and return() as far as names are plain. A benchmark
/// that is not seen to hang on an option about benchmarks gets all of them.
CMakeProject read_cmake_project(const SourceTree& tree);

}  // namespace perf
