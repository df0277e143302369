#include "analyzer/detector/centre_and_spread.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace perf {

double median_in_place(std::span<double> values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) {
    return *middle;
  }
  const double below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

CentreAndSpread centre_and_spread(std::span<const double> values) {
  std::vector<double> scratch(values.begin(), values.end());
  CentreAndSpread found;
  found.count = values.size();
  found.centre = median_in_place(scratch);
  for (double& value : scratch) {
    value = std::abs(value - found.centre);
  }
  found.spread = kNormalDeviations * median_in_place(scratch);
  return found;
}

}  // namespace perf
