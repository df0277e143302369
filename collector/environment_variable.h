#pragma once

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

namespace perf {

/// An environment variable by its name; nullopt where it is not set. Tests script it.
using GetVariable = std::function<std::optional<std::string>(const std::string&)>;

/// Of this process.
inline std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace perf
