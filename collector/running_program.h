#pragma once

#include <filesystem>
#include <system_error>

namespace perf {

/// The file that this process runs; empty where its path cannot be said.
inline std::filesystem::path running_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

}  // namespace perf
