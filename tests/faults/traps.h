#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace perf::test {

/// Programs that nobody should start: each leaves a mark that bears its name.
class Traps {
 public:
  /// `folder` is made; it holds the programs and their marks.
  explicit Traps(const std::filesystem::path& folder);

  /// Lays a trap in the folder, or as `file`; answers the program's path.
  std::string lay(const std::string& name) const;
  void lay(const std::string& name, const std::filesystem::path& file) const;

  /// The names of the traps that were sprung, sorted.
  std::vector<std::string> sprung() const;

 private:
  std::filesystem::path programs_, marks_;
};

/// Every hook that git knows (githooks(5)).
const std::vector<std::string>& hook_names();

}  // namespace perf::test
