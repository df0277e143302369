#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "schema/machine_state.h"

namespace perf {

/// CPUs' worth of time that the control group of this process may use: the smallest quota on the
/// way from it to the root, of version 2 (cpu.max) and version 1 (cpu.cfs_quota_us) alike. Absent
/// where there is none. Reads proc/self/cgroup and sys/fs/cgroup under `root`; where a container
/// shows the host's path, its own root of the hierarchy is read.
std::optional<double> read_cpu_quota(const std::filesystem::path& root);

/// "max 100000" is no quota, "150000 100000" is 1.5.
std::optional<double> parse_cpu_max(std::string_view text);

/// How often a quota on the way from this process's group to the root has stopped it: the group
/// that was stopped most. Absent where no group tells.
std::optional<Throttling> read_throttling(const std::filesystem::path& root);

/// nr_periods and nr_throttled of cpu.stat (Documentation/admin-guide/cgroup-v2.rst; version 1 has
/// the same names). Absent where either is missing, as it is where no controller counts.
std::optional<Throttling> parse_cpu_stat(std::string_view text);

}  // namespace perf
