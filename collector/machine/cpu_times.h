#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/machine_state.h"

namespace perf {

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
