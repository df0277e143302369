#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/machine/environment.h"
#include "schema/machine_state.h"

namespace perf {

/// B; enough for every file under /proc and /sys that is read.
inline constexpr std::size_t kSmallFile = 1 << 16;

/// At most `limit` bytes of a file, such as one under /proc or /sys; empty where it cannot be read
/// or is not a regular file. Never waits, even for a pipe.
std::string read_small_file(const std::filesystem::path& file, std::size_t limit = kSmallFile);

/// The first line, made valid for a record (no controls, at most 200 B).
std::string read_line_of(const std::filesystem::path& file);

/// Adds a value, made valid for a record, to the facts unless it is empty.
void put_fact(std::map<std::string, std::string>& facts, const std::string& name,
              std::string_view value);

/// The whole number in a file's first line; absent where it is something else.
std::optional<std::int64_t> read_number(const std::filesystem::path& file);

/// A text as a whole number, without blanks around it.
std::optional<std::int64_t> whole_number(std::string_view text);

/// The entries PREFIX0, PREFIX1, ... of a folder (cpu0, node1, thermal_zone2), by number.
std::vector<std::filesystem::path> numbered_entries(const std::filesystem::path& folder,
                                                    std::string_view prefix);

/// What stands behind NAME and a separator, blanks around both left out, in the first line that has
/// both; absent where none has. "flags : a b" of /proc/cpuinfo, ID=debian of os-release.
std::optional<std::string_view> value_named(std::string_view text, std::string_view name,
                                            char separator);

/// Activity of the machine: counters since boot, to be read before and after. Absent: unknown.
struct MachineLoad {
  std::optional<double> steal;         ///< s of CPU taken by the hypervisor, all CPUs together
  std::optional<double> cpu_pressure;  ///< s in which some task waited for a CPU (PSI, "some")
  std::optional<std::int64_t> memory_available;  ///< B available without swapping
  /// Processes killed by the kernel for lack of memory, of the machine or of a control group.
  std::optional<std::int64_t> memory_kills{};
};

/// The growth of a counter; absent where it is unknown or was reset.
template <typename Number>
std::optional<Number> growth(const std::optional<Number>& before,
                             const std::optional<Number>& after) {
  return before && after && *after >= *before ? std::optional<Number>(*after - *before)
                                              : std::nullopt;
}

/// Reads proc/stat, proc/pressure/cpu, proc/meminfo and proc/vmstat under `root`.
MachineLoad read_machine_load(const std::filesystem::path& root);

/// Steal time from /proc/stat (proc(5), eighth number of the "cpu" line), in s, where the kernel
/// counts `ticks_per_second` ticks.
std::optional<double> parse_steal(std::string_view stat, double ticks_per_second);
/// The total of the "some" line of /proc/pressure/cpu (Documentation/accounting/psi.rst), in s.
std::optional<double> parse_pressure(std::string_view pressure);
/// A field of /proc/meminfo, in B: "MemAvailable", "MemTotal".
std::optional<std::int64_t> parse_meminfo(std::string_view meminfo, std::string_view field);
/// A counter of /proc/vmstat, "oom_kill" (since Linux 4.13), or of cpu.stat, which has the same
/// format.
std::optional<std::int64_t> parse_vmstat(std::string_view vmstat, std::string_view field);

/// The first processor of /proc/cpuinfo.
struct Processor {
  std::string model;                ///< "Intel(R) Xeon(R) ..."; ARM: implementer and part
  std::string microcode;            ///< "0x2b000603"
  std::optional<bool> virtualized;  ///< the flag `hypervisor`; absent where there are no flags
};

/// Reads the text of /proc/cpuinfo.
Processor parse_cpuinfo(std::string_view cpuinfo);

/// The signature of the hypervisor by CPUID: "KVMKVMKVM"; empty without one, and on other processors
/// than x86.
std::string hypervisor_signature();

/// The usual name of a signature, else of what the firmware under `root` says; "none" on a physical
/// machine, empty where unknown.
std::string hypervisor_of(const std::filesystem::path& root, const std::string& signature,
                          const Processor& processor);

/// Governor, driver, boost, SMT, NUMA nodes and clock source, from sys/devices/system under `root`.
std::map<std::string, std::string> read_processor_settings(const std::filesystem::path& root);

/// Ranges of CPU numbers, both ends included.
using CpuRanges = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// "0-3,8" as the kernel writes it (cpuset(7), "List format"). Absent for anything else.
std::optional<CpuRanges> parse_cpu_list(std::string_view text);

/// Governor -> number of its CPUs: sys/devices/system/cpu/cpu*/cpufreq under `root`.
std::map<std::string, int> read_governors(const std::filesystem::path& root);

/// The number of NUMA nodes with CPUs that this process may run on: the nodes' lists in sys against
/// Cpus_allowed_list of proc/self/status. Absent where either is missing.
std::optional<int> read_allowed_nodes(const std::filesystem::path& root);

/// The widest vector unit by the flags of /proc/cpuinfo; AVX-512 means all parts that libraries
/// need (F, DQ, BW, VL, CD). Absent where there are no x86 flags.
std::optional<VectorUnit> parse_vector_unit(std::string_view cpuinfo);

/// Watches the machine for about `seconds`: reads counters of proc and sys under `root` before and
/// after, because totals since boot show little about the present.
MachineActivity watch_activity(const std::filesystem::path& root, double seconds,
                               const Patience& patience);

/// How often heat has slowed the cores since boot: core_throttle_count under sys/devices/system/cpu
/// of `root` (Intel). Absent where no core counts it.
std::optional<std::int64_t> read_thermal_events(const std::filesystem::path& root);

/// The smallest distance in K between a sensor and its lowest trip point at which the kernel slows
/// or stops the machine (passive, hot, critical), of sys/class/thermal under `root`
/// (Documentation/driver-api/thermal/sysfs-api.rst); negative beyond it. Absent without a sensor.
std::optional<double> read_thermal_margin(const std::filesystem::path& root);

/// The number of CPUs that the control group of this process may use: the smallest quota on the way
/// from it to the root, of version 2 (cpu.max) and version 1 (cpu.cfs_quota_us). Absent without a
/// quota. Reads proc/self/cgroup and sys/fs/cgroup under `root`; where a container shows the host's
/// path, its own root of the hierarchy is read.
std::optional<double> read_cpu_quota(const std::filesystem::path& root);

/// "max 100000" is no quota, "150000 100000" is 1.5.
std::optional<double> parse_cpu_max(std::string_view text);

/// How often a quota has stopped this process's group or a parent of it: of the group that was
/// stopped most. Absent where no group counts it.
std::optional<Throttling> read_throttling(const std::filesystem::path& root);

/// nr_periods and nr_throttled of cpu.stat (Documentation/admin-guide/cgroup-v2.rst; version 1 has
/// the same names). Absent where either is missing, as without a controller.
std::optional<Throttling> parse_cpu_stat(std::string_view text);

/// The CPU time of all CPUs since boot, in ticks.
struct CpuTimes {
  double busy = 0;   ///< user, nice, system, interrupts
  double idle = 0;   ///< idle and waiting for disks
  double steal = 0;  ///< taken by the hypervisor
  int cpus = 0;
};

/// The "cpu" line of /proc/stat (proc(5)), and the number of CPUs. Absent where it does not have
/// eight numbers.
std::optional<CpuTimes> parse_cpu_times(std::string_view stat);

/// A process and the CPU time that it has used.
struct ProcessTime {
  std::string name;
  std::string started;  ///< distinguishes it from a later process with the same id
  double ticks = 0;
};

/// /proc/PID/stat (proc(5)): name, user and system time, start. Absent for anything else.
std::optional<ProcessTime> parse_process_time(std::string_view stat);

/// Every process in proc under `root`, by its id.
std::map<std::string, ProcessTime> read_process_times(const std::filesystem::path& root);

/// At most `count` processes that used at least `least` CPUs, most first. Processes of one name
/// count as one. `seconds` and ticks_per_second are above 0.
std::vector<BusyProcess> busiest_processes(const std::map<std::string, ProcessTime>& before,
                                           const std::map<std::string, ProcessTime>& after,
                                           double seconds, double ticks_per_second,
                                           double least = 0.05, std::size_t count = 3);

}  // namespace perf
