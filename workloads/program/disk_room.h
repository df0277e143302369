#pragma once

#include <cstdint>
#include <string>

namespace perf::workloads {

/// Throws std::runtime_error where the disk under `file` has no room for so many bytes.
void require_disk_room(const std::string& file, std::uint64_t bytes);

}  // namespace perf::workloads
