#pragma once

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <system_error>

namespace perf {

/// An environment variable by name; nullopt where it is not set. A parameter, so that tests can
/// script it.
using GetVariable = std::function<std::optional<std::string>(const std::string&)>;

/// Of this process.
inline std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

/// The file that this process runs; empty where /proc does not show it.
inline std::filesystem::path running_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

}  // namespace perf
