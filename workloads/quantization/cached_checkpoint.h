#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/kernels/dtype.h"
#include "workloads/model/tensor_writer.h"
#include "workloads/program/disk_room.h"
#include "workloads/quantization/synthetic_model.h"

namespace perf::workloads {

/// A file with the synthetic model of a shape, in values of a dtype, written on first use and kept
/// under $XDG_CACHE_HOME/perf-compare/checkpoints, else
/// ~/.cache/perf-compare/checkpoints. Its values are those of one fixed seed, whatever the run's
/// is: a file of its own for every seed would fill the disk. Two processes that want the same file
/// write it once. Of these files kMostFiles are kept: one more takes the place of the one that was
/// used longest ago. A file is held, so that nobody removes it, as long as the object lives; by
/// hand the folder may be removed at any time.
class CachedCheckpoint {
 public:
  static constexpr std::uint64_t kSeed = 1;
  static constexpr std::size_t kMostFiles = 3;

  /// `beside`: other files that will be written while this one lies there. Throws Error before it
  /// writes anything: with both figures and the folder, where a disk has no room for all that is
  /// missing; where HOME and XDG_CACHE_HOME name no folder; and where it cannot be written to.
  CachedCheckpoint(const SyntheticShape& shape, DType dtype,
                   const std::vector<PlannedFile>& beside = {},
                   Container container = Container::safetensors);
  ~CachedCheckpoint();
  CachedCheckpoint(const CachedCheckpoint&) = delete;
  CachedCheckpoint& operator=(const CachedCheckpoint&) = delete;

  const std::string& path() const { return path_; }
  bool was_written() const { return was_written_; }  ///< by this object, and not found

 private:
  std::string path_;
  int file_ = -1;  // open and locked (shared) as long as it is in use
  bool was_written_ = false;
};

}  // namespace perf::workloads
