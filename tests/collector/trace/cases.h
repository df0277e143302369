#pragma once

#include <vector>

#include "tests/collector/trace/side_by_side.h"

namespace perf::test {

/// Workloads that do not do the same on both sides, or of which nobody can know.
std::vector<Case> changed_files();
std::vector<Case> changed_ways();  ///< to a file: links, names, folders
std::vector<Case> changed_programs();
std::vector<Case> changed_scripts();  ///< and what they find where they look for programs
std::vector<Case> doubtful();
/// Workloads that do the same on both sides, though their folders differ.
std::vector<Case> unchanged();

/// A file `data` that differs, of one size.
inline Case changed_data(const std::string& name, const std::string& run) {
  return {name, {{"data", "one\n"}}, {{"data", "two\n"}}, run};
}

/// Nothing that differs.
inline Case with_data(const std::string& name, const std::string& run) {
  return {name, {{"data", "one\n"}}, {{"data", "one\n"}}, run};
}

}  // namespace perf::test
