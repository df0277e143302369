#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perf::workloads {

/// Throws std::runtime_error where the disk under `file` has no room for so many bytes.
void require_disk_room(const std::string& file, std::uint64_t bytes);

/// A file that is going to be written.
struct PlannedFile {
  std::string path;
  std::uint64_t bytes = 0;
};

/// Throws Error where several that will lie there at once have no room: those on one disk need it
/// together. `hint` says what to try.
void require_disk_room(const std::vector<PlannedFile>& files, const std::string& hint);

}  // namespace perf::workloads
