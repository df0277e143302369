#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace perf::test {

/// A project as somebody else has it, that knows nothing of perf-compare, and what a user types who
/// begins there.
struct ForeignProject {
  std::string name;
  std::string needs;  ///< a line of shell that ends well where it can be built
  std::map<std::string, std::string> files;  ///< by path
  std::string work;        ///< the file that says how much there is to do: COUNT in its text
  int few = 0, many = 0;   ///< so much, before and from the commit that makes it slower
  std::string benchmark;   ///< the series that gets slower
  std::string skipped{};   ///< one that says that it cannot run
  std::string left_out{};  ///< one that init finds not to work
  std::vector<std::string> init{"init"};
  /// What is put beside the repository once init has been there, by path from its top; and the
  /// options that name it.
  std::map<std::string, std::string> beside{};
  std::vector<std::string> options{};
};

/// For GoogleTest, which would show its bytes.
void PrintTo(const ForeignProject& project, std::ostream* out);

/// Google Benchmark with CMake, targets behind options of CMake, criterion with Cargo, benchmarks
/// of Go, a Python package with a part in C, and a shell script that no commit has.
std::vector<ForeignProject> foreign_projects();

}  // namespace perf::test
