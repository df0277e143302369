#pragma once

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
/// Of all processes of a workload's server. Not judged by default. They lie in a block, but belong
/// to the whole invocation.
inline const Metric kServerPeakRss{"server_peak_rss", "B", Better::lower};
inline const Metric kServerCpuTime{"server_cpu_time", "s", Better::lower};

inline bool is_of_server(const Metric& metric) {
  return metric == kServerPeakRss || metric == kServerCpuTime;
}

/// Whether perf-compare measures a metric of that name itself: a benchmark cannot report it.
inline bool is_measured_here(const std::string& metric) {
  return metric == kStepTime.name || metric == kPeakRss.name || metric == kServerPeakRss.name ||
         metric == kServerCpuTime.name;
}

}  // namespace perf
