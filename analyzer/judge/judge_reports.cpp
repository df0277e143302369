#include "analyzer/judge/judge_reports.h"

#include <set>
#include <string>

#include "analyzer/judge/judge_sessions.h"
#include "analyzer/rows/summary.h"
#include "analyzer/samples/named_metrics.h"

namespace perf {

Report judge_reports(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                     const Policy& policy) {
  std::set<std::string> metrics = metric_names(base);
  metrics.merge(metric_names(head));
  require_metrics_among(metrics, policy);
  Report report;
  report.policy = policy;
  report.judged = count_judged(base, head, policy);
  report.comparisons = judge_sessions(base, head, policy, report.judged);
  sort_rows(report.comparisons);
  report.summary = summarize(report.comparisons);
  report.nothing_ran = report.comparisons.empty();
  report.warnings.push_back({"stored", "nothing was measured: a report file holds no samples"});
  return report;
}

}  // namespace perf
