#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace perf {

/// What the package manager of this machine keeps: dpkg(1) here, by its lists.
class PackageFiles {
 public:
  explicit PackageFiles(std::filesystem::path lists = "/var/lib/dpkg/info")
      : lists_(std::move(lists)) {}

  /// Whether a file outside every checkout is a package's, a link by which packages are chosen
  /// (update-alternatives(1)), or the loader's list of all libraries: a build that is none of a
  /// package writes none of them, and nobody sets the times of one.
  bool has(const std::filesystem::path& path) const;

 private:
  std::filesystem::path lists_;
  mutable std::optional<std::string> all_;  ///< read when it is first asked for
};

}  // namespace perf
