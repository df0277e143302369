#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perf::reporter {

/// A row of block characters, lowest to highest value; empty for fewer than two finite values.
std::string sparkline(const std::vector<double>& values);

struct GroupedValues {
  std::vector<double> values;  ///< the median of each group
  std::size_t group = 1;       ///< how many neighbours make one; the last may have fewer
};

/// The finite values, in groups that are as small as `most` (>= 1) groups allow: no more than so
/// many values, in their order.
GroupedValues grouped(const std::vector<double>& values, std::size_t most);

}  // namespace perf::reporter
