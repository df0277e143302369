#pragma once

#include <cstdint>
#include <filesystem>

#include "tests/faults/disk_model.h"

namespace perf::test {

/// Whether syncing does anything on this machine.
enum class Sync { honest, ignored };

/// A machine that loses power at a chosen call. It stands between SQLite's unix VFS and the kernel
/// (sqlite3_vfs.xSetSystemCall), so that a VFS laid upon that one is under test as well; and in the
/// way of the calls by which the store handles files itself (fsync, rename, remove, mkdir), which
/// this program answers in place of the C library. Every call that changes files below `root`
/// counts: create, write, resize, remove, rename, mkdir, sync of a file or folder. The call that
/// the power goes at was asked for, and may have come to the disk or not; later ones fail with EIO.
/// Scratch files (those that are removed when closed, and folders called merge-*) are not followed.
/// One at a time, in one thread. Nothing is really synced while this program runs.
class PowerCut {
 public:
  static constexpr std::int64_t kNever = -1;

  /// `at`: the call that the power goes at, from 0.
  PowerCut(const std::filesystem::path& root, std::int64_t at, Sync sync = Sync::honest);
  ~PowerCut();
  PowerCut(const PowerCut&) = delete;
  PowerCut& operator=(const PowerCut&) = delete;

  std::int64_t calls() const;  ///< until now
  bool happened() const;
  const DiskModel& disk() const;
};

}  // namespace perf::test
