#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "reporter/openmetrics/exposition.h"

namespace perf::reporter {

/// Where the label `metric` stands among a sample's labels.
inline constexpr std::size_t kMetricLabel = 1;

/// Labels as nobody before had them, in the order of the calls. Different names can read the same
/// once they are visible ("a b" and "a\tb"); a sample lost for that could be the regressed one.
class DistinctLabels {
 public:
  /// The labels; where they were there already, with " (2)", " (3)", ... behind the value of the
  /// one at `named`.
  Labels of(Labels labels, std::size_t named);

 private:
  std::set<std::string> taken_;
};

}  // namespace perf::reporter
