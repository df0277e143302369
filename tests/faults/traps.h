#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace perf::test {

/// Programs that must not be started: each writes a mark with its name.
class Traps {
 public:
  /// `folder` is made; it holds the programs and their marks.
  explicit Traps(const std::filesystem::path& folder);

  /// Writes a trap into the folder, or to `file`; returns the program's path.
  std::string lay(const std::string& name) const;
  void lay(const std::string& name, const std::filesystem::path& file) const;

  /// Names of the traps that were started, sorted.
  std::vector<std::string> sprung() const;

 private:
  std::filesystem::path programs_, marks_;
};

/// Every hook of git (githooks(5)).
const std::vector<std::string>& hook_names();

}  // namespace perf::test
