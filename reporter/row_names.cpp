#include "reporter/row_names.h"

#include "reporter/wording.h"

namespace perf::reporter {

RowNames::RowNames(const Report& report) {
  for (const Comparison& comparison : report.comparisons) {
    ++rows_[{comparison.workload, comparison.metric.name}];
  }
}

std::string RowNames::metric(const Comparison& comparison) const {
  const std::string& metric = comparison.metric.name;
  const auto rows = rows_.find({comparison.workload, metric});
  const bool alone = rows == rows_.end() || rows->second < 2 || comparison.params.empty();
  return alone ? metric : metric + " (" + params_text(comparison.params) + ")";
}

}  // namespace perf::reporter
