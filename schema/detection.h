#pragma once

#include <string>
#include <vector>

namespace perf {

/// Where a series measured elsewhere steps.
struct DetectedSeries {
  std::string name;
  std::vector<double> steps;  ///< of the first point after each, ascending: its index in a CSV,
                              ///< else its 0-based position
};

}  // namespace perf
