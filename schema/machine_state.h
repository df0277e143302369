#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schema/environment.h"

namespace perf {

/// How often a control group's quota has stopped it. Counts since the group was made.
struct Throttling {
  std::int64_t periods = 0;    ///< in which it ran
  std::int64_t throttled = 0;  ///< of those, in which it was stopped
};

/// A process that used the CPU while the machine was watched.
struct BusyProcess {
  std::string name;
  double cores = 0;  ///< CPUs' worth
};

/// The activity of the machine while it was watched. Absent is unknown.
struct MachineActivity {
  double seconds = 0;
  std::optional<int> cpus;             ///< CPUs that the shares below are of
  std::optional<double> busy_share;    ///< of all CPU time: used, by anybody
  std::optional<double> steal_share;   ///< of all CPU time: taken by the hypervisor
  std::optional<double> cpu_pressure;  ///< share of the time in which some task waited for a CPU
  std::optional<std::int64_t> pages_swapped;   ///< in and out
  std::optional<std::int64_t> throttled;       ///< periods in which our control group was stopped
  std::optional<std::int64_t> thermal_events;  ///< times that heat slowed a core
  std::vector<BusyProcess> busiest{};          ///< most first; those worth naming
};

/// The widest vectors that a processor, or a BLAS kernel, computes with.
enum class VectorUnit { sse, avx, avx2, avx512 };

/// Whether the kernel lets this process open an event of perf_event_open(2).
enum class EventAccess { available, forbidden, absent };

/// How the file that a workload's command runs was built.
struct ProgramState {
  std::string path;                       ///< as the command names it
  std::vector<std::string> workloads;     ///< that run it
  std::vector<std::string> instruments;   ///< "AddressSanitizer", "coverage", ...
  std::optional<bool> optimized;          ///< what the compiler noted in debug information
  std::optional<std::string> build_type;  ///< CMAKE_BUILD_TYPE of the build it lies in
  std::string problem;                    ///< why nothing is known; empty where something is
};

/// A GPU that programs see.
struct DeviceState {
  std::map<std::string, std::string> facts;  ///< by the names of `perf-device facts`
  std::vector<std::string> processes{};      ///< that compute on it: "4711 python3"
};

/// Why a machine without a GPU of NVIDIA has none.
inline constexpr const char* kNoDeviceDriver = "no NVIDIA driver library";

/// Everything that `doctor` checks. Absent is unknown, never 0.
struct MachineState {
  Environment environment;  ///< as it is recorded with every run

  std::map<std::string, int> governors;  ///< governor -> CPUs that it governs
  std::optional<std::string> platform_profile;
  std::optional<std::string> clock_sources;  ///< those to choose from, separated by blanks
  std::optional<VectorUnit> vector_unit;
  std::optional<int> cores;       ///< CPUs that this process may run on
  std::optional<int> numa_nodes;  ///< NUMA nodes that those belong to
  std::optional<double> cpu_quota;
  std::optional<Throttling> throttling;
  std::optional<std::int64_t> thermal_events;  ///< since boot
  std::optional<double> thermal_margin;    ///< K from the hottest sensor to where it slows the CPU
  std::optional<bool> no_randomization;    ///< this process's personality forbids ASLR
  std::optional<double> steal_since_boot;  ///< share of the time that was used or stolen
  std::optional<std::int64_t> memory_total, memory_available, swap_used;  ///< B
  std::optional<EventAccess> counters;           ///< instructions, in user mode
  std::optional<EventAccess> sampling;           ///< cpu-clock
  std::optional<bool> has_perf, has_valgrind;    ///< programs in PATH
  std::map<std::string, std::string> variables;  ///< OMP_NUM_THREADS and the like, where set
  MachineActivity activity;
  std::vector<DeviceState> devices{};
  std::string devices_problem{};  ///< why there are none

  std::vector<ProgramState> programs;
  std::string programs_problem;  ///< why there are none
  /// The facts that workloads reported in the latest stored run.
  std::map<std::string, std::map<std::string, std::string>> workload_facts;
  std::string workload_facts_problem;  ///< why there are none
};

}  // namespace perf
