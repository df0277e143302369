#pragma once

#include <filesystem>

#include "schema/files/hold.h"

namespace perf {

/// A new folder (mode 0700) that is removed with the object, also with read-only folders, links
/// (not followed) and trees deeper than the longest path.
class TemporaryFolder {
 public:
  /// Created under `parent`, or under $TMPDIR, or under /tmp; paths under one parent have the same
  /// length. Throws Error.
  explicit TemporaryFolder(const std::filesystem::path& parent = {});
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Hold hold_{};
};

/// Removes the temporary folders that killed processes left under `parent`, as above.
void remove_abandoned_folders(const std::filesystem::path& parent = {});

}  // namespace perf
