#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace perf {

/// What else the machine was doing: counters since boot, to be read before and after. Absent where
/// the kernel does not tell.
struct MachineLoad {
  std::optional<double> steal;         ///< s of CPU taken by the hypervisor, all CPUs together
  std::optional<double> cpu_pressure;  ///< s in which some task waited for a CPU (PSI, "some")
  std::optional<std::int64_t> memory_available;  ///< B that can be had without swapping
  /// Processes killed by the kernel for lack of memory: of the machine's, or of a control group's.
  std::optional<std::int64_t> memory_kills{};
};

/// What a counter grew by in between; absent where it was not known, and where it began anew.
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
/// A counter of /proc/vmstat, "oom_kill" (since Linux 4.13), or of cpu.stat, which is written
/// alike.
std::optional<std::int64_t> parse_vmstat(std::string_view vmstat, std::string_view field);

}  // namespace perf
