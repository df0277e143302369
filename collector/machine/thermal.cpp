#include <algorithm>
#include <string>

#include "collector/machine/activity.h"
#include "collector/machine/small_file.h"

namespace perf {
namespace {

constexpr double kMillikelvin = 1e-3;
constexpr std::int64_t kLeastTrip = 20000;  ///< m°C: firmware that says less does not mean it
constexpr int kMostTrips = 64;              ///< the kernel has had 12 at most

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
