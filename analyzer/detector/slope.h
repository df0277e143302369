#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "analyzer/detector/change_points.h"

namespace perf {

/// A drift that no step explains. Positions are those of the values as given (gaps counted).
struct FoundSlope {
  std::size_t begin = 0, end = 0;  ///< the points it was fitted to: [begin, end)
  double per_point = 0;            ///< relative change per point that has a value
  double total = 0;                ///< relative change from the first of them to the last
  Interval interval;               ///< of total, 95 %
  double z = 0;                    ///< of the slope, never negative
};

/// The slope that a series has at its end, where it has one; `steps` is the result of find_steps on
/// the same values.
std::optional<FoundSlope> find_slope(const std::vector<double>& values,
                                     const std::vector<FoundStep>& steps, Scale scale = Scale::log);

}  // namespace perf
