#pragma once

#include <string>
#include <vector>

#include "schema/trend.h"

namespace perf::samples {

/// Histories as the analyzer tells them, with figures as they come from a real machine.
TrendReport moved_history();      ///< new alerts of every kind, known, over, suspects, an event
TrendReport quiet_history();      ///< two series, nothing moved
TrendReport first_night();        ///< one point
TrendReport empty_history();      ///< nothing recorded
TrendReport confirmed_history();  ///< with the comparison that bore the alert out

struct NamedTrend {
  std::string name;
  TrendReport report;
};
std::vector<NamedTrend> all_trends();

/// One in which every text is the given one.
TrendReport poisoned_history(const std::string& text);

/// `series` series of `points` points each, for limits and benchmarks.
TrendReport long_history(std::size_t series, std::size_t points);

}  // namespace perf::samples
