#pragma once

#include <string>
#include <vector>

namespace perf::test {

/// The path of perf-compare; for "migrate", of the one with a migration.
inline std::string program_for(const std::vector<std::string>& arguments) {
  return !arguments.empty() && arguments.front() == "migrate" ? PERF_BINARY_DIR
             "/tests/migrating/perf-compare"
                                                              : PERF_BINARY_DIR "/bin/perf-compare";
}

}  // namespace perf::test
