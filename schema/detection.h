#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perf {

/// Where a series measured elsewhere steps.
struct DetectedSeries {
  std::string name;
  std::vector<std::size_t> steps;  ///< 0-based positions of the first point after each, ascending
};

}  // namespace perf
