#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>

#include "schema/text/words.h"

namespace perf {

/// The good direction of a metric.
enum class Better { lower, higher };

/// The contract's word for it.
template <>
inline constexpr std::array<std::string_view, 2> kWords<Better>{"lower", "higher"};

/// A named, directed quantity in a base unit (s, B, 1/s, ...).
struct Metric {
  std::string name;
  std::string unit;
  Better better = Better::lower;

  friend bool operator==(const Metric& a, const Metric& b) {
    return std::tie(a.name, a.unit, a.better) == std::tie(b.name, b.unit, b.better);
  }
};

/// Seconds of one timed step: the median over an invocation's steps. Judged by default.
inline const Metric kStepTime{"step_time", "s", Better::lower};
/// Instructions retired in user mode over an invocation, its start included. Not judged by default.
inline const Metric kInstructions{"instructions", "1", Better::lower};
/// Peak resident set of the invocation. Judged by default.
inline const Metric kPeakRss{"peak_rss", "B", Better::lower};
/// Of all processes of a workload's server. Not judged by default.
inline const Metric kServerPeakRss{"server_peak_rss", "B", Better::lower};
inline const Metric kServerCpuTime{"server_cpu_time", "s", Better::lower};

/// Of the GPUs that a process uses (docs/devices.md). Memory, B above what was in use before it, is
/// the driver's figure, unless the benchmark reports its own, and judged by default; so is
/// device_time, which benchmarks report. The others are of the whole invocation, as a server's are.
inline const Metric kDeviceMemory{"device_memory", "B", Better::lower};
inline const Metric kDeviceEnergy{"device_energy", "J", Better::lower};
inline const Metric kDeviceClock{"device_clock", "Hz", Better::higher};
inline const Metric kDeviceTemperature{"device_temperature", "C", Better::lower};
inline const Metric kDeviceThrottled{"device_throttled", "%", Better::lower};

/// Those of a whole invocation, though they lie in a block.
inline const std::array kOfInvocation{kServerPeakRss, kServerCpuTime,     kDeviceEnergy,
                                      kDeviceClock,   kDeviceTemperature, kDeviceThrottled};

inline bool is_of_invocation(const Metric& metric) {
  return std::ranges::find(kOfInvocation, metric) != kOfInvocation.end();
}

/// Whether perf-compare measures a metric of that name itself: a benchmark cannot report it, as
/// schema/json/protocol.schema.json says too.
inline bool is_measured_here(const std::string& metric) {
  return metric == kStepTime.name || metric == kPeakRss.name ||
         std::ranges::find(kOfInvocation, metric, &Metric::name) != kOfInvocation.end();
}

}  // namespace perf
