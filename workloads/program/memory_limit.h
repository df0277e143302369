#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace perf::workloads {

/// Bytes that the control groups of this process, as a container or a CI job sets them, still leave
/// it; page cache that would be given up for them counts as left. None where nothing limits it.
/// Both versions of control groups; `membership` is what the kernel says of the process.
std::optional<std::size_t> memory_left_by_groups(
    const std::filesystem::path& root = "/sys/fs/cgroup",
    const std::filesystem::path& membership = "/proc/self/cgroup");

}  // namespace perf::workloads
