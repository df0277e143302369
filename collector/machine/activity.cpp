#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>

#include "collector/machine/readings.h"

namespace perf {
namespace {

/// Counters that only grow.
struct Counters {
  std::optional<CpuTimes> cpu;
  std::optional<double> cpu_pressure;  ///< s
  std::optional<std::int64_t> pages_swapped, throttled, thermal_events;
};

Counters read_counters(const std::filesystem::path& root) {
  Counters counters;
  counters.cpu = parse_cpu_times(read_small_file(root / "proc/stat"));
  counters.cpu_pressure = parse_pressure(read_small_file(root / "proc/pressure/cpu"));
  const std::string vmstat = read_small_file(root / "proc/vmstat");
  const std::optional<std::int64_t> in = parse_vmstat(vmstat, "pswpin"),
                                    out = parse_vmstat(vmstat, "pswpout");
  if (in && out) {
    counters.pages_swapped = *in + *out;
  }
  if (const std::optional<Throttling> throttling = read_throttling(root)) {
    counters.throttled = throttling->throttled;
  }
  counters.thermal_events = read_thermal_events(root);
  return counters;
}

void add_cpu_shares(const CpuTimes& before, const CpuTimes& after, MachineActivity& activity) {
  const double busy = after.busy - before.busy;
  const double idle = after.idle - before.idle;
  const double steal = after.steal - before.steal;
  const double all = busy + idle + steal;
  if (busy >= 0 && steal >= 0 && all > 0) {
    activity.cpus = after.cpus;
    activity.busy_share = busy / all;
    activity.steal_share = steal / all;
  }
}

constexpr double kMillikelvin = 1e-3;
constexpr std::int64_t kLeastTrip =
    20000;                      ///< m°C; lower values of firmware are not real trip points
constexpr int kMostTrips = 64;  ///< the kernel has had 12 at most

/// In m°C.
std::optional<std::int64_t> lowest_trip(const std::filesystem::path& zone) {
  std::optional<std::int64_t> lowest;
  for (int i = 0; i < kMostTrips; ++i) {
    const std::string point = "trip_point_" + std::to_string(i);
    const std::string type = read_line_of(zone / (point + "_type"));
    if (type.empty()) {
      break;
    }
    const std::optional<std::int64_t> at = read_number(zone / (point + "_temp"));
    const bool slows = type == "passive" || type == "hot" || type == "critical";
    if (slows && at && *at >= kLeastTrip && (!lowest || *at < *lowest)) {
      lowest = at;
    }
  }
  return lowest;
}

}  // namespace

MachineActivity watch_activity(const std::filesystem::path& root, double seconds,
                               const Patience& patience) {
  // The counters are read innermost, so that they do not include the time to read all processes.
  const std::map<std::string, ProcessTime> processes = read_process_times(root);
  const Counters before = read_counters(root);
  const double start = patience.now();
  patience.sleep(seconds);
  const double end = patience.now();
  const Counters after = read_counters(root);
  MachineActivity activity;
  activity.seconds = end - start;
  if (!(activity.seconds > 0)) {
    return activity;
  }
  if (before.cpu && after.cpu) {
    add_cpu_shares(*before.cpu, *after.cpu, activity);
  }
  if (const auto waited = growth(before.cpu_pressure, after.cpu_pressure)) {
    activity.cpu_pressure = *waited / activity.seconds;
  }
  activity.pages_swapped = growth(before.pages_swapped, after.pages_swapped);
  activity.throttled = growth(before.throttled, after.throttled);
  activity.thermal_events = growth(before.thermal_events, after.thermal_events);
  activity.busiest = busiest_processes(processes, read_process_times(root), activity.seconds,
                                       static_cast<double>(sysconf(_SC_CLK_TCK)));
  return activity;
}

std::optional<std::int64_t> read_thermal_events(const std::filesystem::path& root) {
  std::optional<std::int64_t> events;
  for (const auto& cpu : numbered_entries(root / "sys/devices/system/cpu", "cpu")) {
    const auto count = read_number(cpu / "thermal_throttle/core_throttle_count");
    if (count && *count >= 0) {
      events = events.value_or(0) + std::min(*count, std::int64_t{1} << 40);
    }
  }
  return events;
}

std::optional<double> read_thermal_margin(const std::filesystem::path& root) {
  std::optional<double> margin;
  for (const auto& zone : numbered_entries(root / "sys/class/thermal", "thermal_zone")) {
    const std::optional<std::int64_t> now = read_number(zone / "temp");
    const std::optional<std::int64_t> trip = lowest_trip(zone);
    if (now && trip) {
      const double kelvin = kMillikelvin * (static_cast<double>(*trip) - static_cast<double>(*now));
      margin = std::min(kelvin, margin.value_or(kelvin));
    }
  }
  return margin;
}

}  // namespace perf
