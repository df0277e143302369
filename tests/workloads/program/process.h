#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/contains.h"

namespace perf::workloads {

inline const std::string kProgram = PERF_BINARY_DIR "/bin/perf-workloads";

struct ProcessResult {
  int status = -1;
  std::string out;  ///< standard output and standard error
};

/// Runs a shell command.
inline ProcessResult run_process(const std::string& command) {
  ProcessResult result;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    return result;
  }
  std::array<char, 4096> buffer;
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    result.out.append(buffer.data(), size);
  }
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

/// Whether it ended with this status and printed all these parts.
inline testing::AssertionResult ended(const ProcessResult& result, int status,
                                      const std::vector<std::string>& says = {}) {
  if (result.status != status) {
    return testing::AssertionFailure() << "status " << result.status << " for " << status << ":\n"
                                       << result.out;
  }
  return contains_all(result.out, says);
}

}  // namespace perf::workloads
