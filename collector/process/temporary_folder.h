#pragma once

#include <filesystem>

#include "schema/files/hold.h"

namespace perf {

/// A folder of its own (mode 0700) that is gone with the object, whatever was put into it:
/// read-only folders, links (removed, not followed), trees deeper than a path is long.
class TemporaryFolder {
 public:
  /// Made under `parent`, or where TMPDIR says, or under /tmp; paths under one parent have the same
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

/// Removes the temporary folders that processes left which were killed, under `parent` as above.
void remove_abandoned_folders(const std::filesystem::path& parent = {});

}  // namespace perf
