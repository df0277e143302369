#pragma once

#include <string>
#include <vector>

namespace perf::test {

/// The path of perf-compare; to "migrate", that of one with a migration of the tests' own.
inline std::string program_for(const std::vector<std::string>& arguments) {
  return !arguments.empty() && arguments.front() == "migrate" ? PERF_BINARY_DIR
             "/tests/migrating/perf-compare"
                                                              : PERF_BINARY_DIR "/bin/perf-compare";
}

}  // namespace perf::test
