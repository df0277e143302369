#pragma once

#include <map>
#include <string>

namespace perf::formats {

/// The facts that a file tells of its machine as one text, `name=value` a line, in the order of
/// their names: what an imported machine has for a fingerprint.
inline std::string facts_text(const std::map<std::string, std::string>& facts) {
  std::string text;
  for (const auto& [name, value] : facts) {
    text.append(name).append("=").append(value).append("\n");
  }
  return text;
}

}  // namespace perf::formats
