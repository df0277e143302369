#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/machine_state.h"

namespace perf {

/// Time, handed in so that tests need none.
struct Patience {
  std::function<double()> now;        ///< s, monotonic
  std::function<void(double)> sleep;  ///< s
};

/// Watches the machine for about `seconds`: counters of proc and sys under `root`, read before and
/// after. Totals since boot say little about now.
MachineActivity watch_activity(const std::filesystem::path& root, double seconds,
                               const Patience& patience);

/// How often heat has slowed a core since boot, all cores together: core_throttle_count under
/// sys/devices/system/cpu of `root` (Intel). Absent where no core counts it.
std::optional<std::int64_t> read_thermal_events(const std::filesystem::path& root);

/// K from a sensor to the lowest of its trip points at which the kernel slows or stops the machine
/// (passive, hot, critical), the smallest of all of sys/class/thermal under `root`
/// (Documentation/driver-api/thermal/sysfs-api.rst); negative beyond it. Absent without such a
/// sensor.
std::optional<double> read_thermal_margin(const std::filesystem::path& root);

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

/// Where the CPU time of all CPUs together went since boot, in ticks.
struct CpuTimes {
  double busy = 0;   ///< user, nice, system, interrupts
  double idle = 0;   ///< idle and waiting for disks
  double steal = 0;  ///< taken by the hypervisor
  int cpus = 0;
};

/// The "cpu" line of /proc/stat (proc(5)), and how many CPUs have a line. Absent where it does not
/// have eight numbers.
std::optional<CpuTimes> parse_cpu_times(std::string_view stat);

/// A process and the CPU time that it has used.
struct ProcessTime {
  std::string name;
  std::string started;  ///< with the process id, tells it from one that got the id later
  double ticks = 0;
};

/// /proc/PID/stat (proc(5)): name, user and system time, start. Absent for anything else.
std::optional<ProcessTime> parse_process_time(std::string_view stat);

/// Every process that proc under `root` shows, by its id.
std::map<std::string, ProcessTime> read_process_times(const std::filesystem::path& root);

/// The processes that used at least `least` CPUs' worth, most first, at most `count` of them.
/// Processes of one name count as one. `seconds` and ticks_per_second are above 0.
std::vector<BusyProcess> busiest_processes(const std::map<std::string, ProcessTime>& before,
                                           const std::map<std::string, ProcessTime>& after,
                                           double seconds, double ticks_per_second,
                                           double least = 0.05, std::size_t count = 3);

}  // namespace perf
