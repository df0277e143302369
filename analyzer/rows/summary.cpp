#include "analyzer/rows/summary.h"

#include <algorithm>
#include <tuple>

#include "schema/verdict_counts.h"

namespace perf {

Summary summarize(const std::vector<Comparison>& rows) {
  Summary summary;
  summary.counts = verdict_counts(rows);
  for (const Comparison& row : rows) {
    if (row.judged && row.verdict) {
      summary.verdict = std::min(summary.verdict, *row.verdict);
    }
  }
  return summary;
}

void sort_rows(std::vector<Comparison>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Comparison& a, const Comparison& b) {
    return std::tie(a.workload, a.metric.name) < std::tie(b.workload, b.metric.name);
  });
}

}  // namespace perf
