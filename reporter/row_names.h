#pragma once

#include <map>
#include <string>
#include <utility>

#include "schema/report.h"

namespace perf::reporter {

/// What the rows of a report are called where a name has to tell one from the other: by the metric,
/// and by the parameters only where rows would else share a name, so that a name stays the same
/// from run to run.
class RowNames {
 public:
  explicit RowNames(const Report& report);

  /// "step_time", "step_time (layers=4)".
  std::string metric(const Comparison& comparison) const;

 private:
  std::map<std::pair<std::string, std::string>, int> rows_;  ///< by workload and metric
};

}  // namespace perf::reporter
