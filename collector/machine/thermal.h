#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace perf {

/// How often heat has slowed a core since boot, all cores together: core_throttle_count under
/// sys/devices/system/cpu of `root` (Intel). Absent where no core counts it.
std::optional<std::int64_t> read_thermal_events(const std::filesystem::path& root);

/// K from a sensor to the lowest of its trip points at which the kernel slows or stops the machine
/// (passive, hot, critical), the smallest of all of sys/class/thermal under `root`
/// (Documentation/driver-api/thermal/sysfs-api.rst); negative beyond it. Absent without such a
/// sensor.
std::optional<double> read_thermal_margin(const std::filesystem::path& root);

}  // namespace perf
