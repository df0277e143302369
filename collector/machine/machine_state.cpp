#include <string_view>
#include <utility>

#include "collector/machine/devices.h"
#include "collector/machine/environment.h"
#include "collector/machine/event_access.h"
#include "collector/machine/program_state.h"
#include "collector/machine/readings.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// Variables that choose threads and kernels of numerical libraries.
constexpr const char* kVariables[] = {"OMP_NUM_THREADS",   "OPENBLAS_NUM_THREADS",
                                      "GOTO_NUM_THREADS",  "MKL_NUM_THREADS",
                                      "RAYON_NUM_THREADS", "OPENBLAS_CORETYPE"};

/// ADDR_NO_RANDOMIZE of /proc/self/personality (personality(2)), a hexadecimal number.
std::optional<bool> forbids_randomization(const std::filesystem::path& root) {
  constexpr unsigned kAddrNoRandomize = 0x0040000;
  const auto flags = parsed<unsigned>(read_line_of(root / "proc/self/personality"), 16);
  return flags ? std::optional<bool>((*flags & kAddrNoRandomize) != 0) : std::nullopt;
}

std::optional<double> steal_since_boot(const std::filesystem::path& root) {
  const std::optional<CpuTimes> times = parse_cpu_times(read_small_file(root / "proc/stat"));
  const double wanted = times ? times->busy + times->steal : 0;
  return wanted > 0 ? std::optional<double>(times->steal / wanted) : std::nullopt;
}

std::optional<std::string> known_line(const std::filesystem::path& file) {
  std::string line = read_line_of(file);
  return line.empty() ? std::nullopt : std::optional(std::move(line));
}

std::optional<std::int64_t> swap_used(std::string_view meminfo) {
  const std::optional<std::int64_t> total = parse_meminfo(meminfo, "SwapTotal");
  const std::optional<std::int64_t> free = parse_meminfo(meminfo, "SwapFree");
  return total && free ? std::optional<std::int64_t>(*total - *free) : std::nullopt;
}

}  // namespace

MachineState read_machine_state(const ProbeSources& sources, double seconds,
                                const Patience& patience) {
  const std::filesystem::path& root = sources.root;
  MachineState state;
  state.activity = watch_activity(root, seconds, patience);
  FoundDevices found = find_devices(sources);
  state.environment = probe_environment(sources, found);
  state.devices = std::move(found.devices);
  state.devices_problem = std::move(found.problem);
  state.governors = read_governors(root);
  state.platform_profile = known_line(root / "sys/firmware/acpi/platform_profile");
  state.clock_sources =
      known_line(root / "sys/devices/system/clocksource/clocksource0/available_clocksource");
  state.vector_unit = parse_vector_unit(read_small_file(root / "proc/cpuinfo"));
  state.cores = sources.system.cores;
  state.numa_nodes = read_allowed_nodes(root);
  state.cpu_quota = read_cpu_quota(root);
  state.throttling = read_throttling(root);
  state.thermal_events = read_thermal_events(root);
  state.thermal_margin = read_thermal_margin(root);
  state.steal_since_boot = steal_since_boot(root);
  state.no_randomization = forbids_randomization(root);
  const std::string meminfo = read_small_file(root / "proc/meminfo");
  state.memory_total = parse_meminfo(meminfo, "MemTotal");
  state.memory_available = parse_meminfo(meminfo, "MemAvailable");
  state.swap_used = swap_used(meminfo);
  if (root == "/") {
    state.counters = try_counters();
    state.sampling = try_sampling();
  }
  state.has_perf = is_in_path("perf", sources.variable);
  state.has_valgrind = is_in_path("valgrind", sources.variable);
  for (const char* name : kVariables) {
    put_fact(state.variables, name, sources.variable(name).value_or(""));
  }
  return state;
}

}  // namespace perf
