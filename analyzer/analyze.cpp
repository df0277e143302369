#include "analyzer/analyze.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/control_arms.h"
#include "analyzer/rows/comparison_rows.h"
#include "analyzer/rows/target_results.h"
#include "analyzer/samples/standing.h"

namespace perf {
namespace {

Summary summarize(const std::vector<Comparison>& rows) {
  Summary summary;
  for (const Verdict verdict : kVerdicts) {
    summary.counts[verdict] = 0;
  }
  for (const Comparison& row : rows) {
    if (row.judged && row.verdict) {
      ++summary.counts[*row.verdict];
      summary.verdict = std::min(summary.verdict, *row.verdict);
    }
  }
  return summary;
}

// What workloads said of themselves at head, by the name their rows bear.
void collect_facts(const Standing& standing, Report& report) {
  for (const WorkloadStanding& workload : standing.workloads) {
    for (const SeriesStanding& one : workload.series) {
      for (const Sample& sample : one.series.head) {
        if (sample.block && !sample.block->facts.empty()) {
          report.workload_facts[one.series.workload].insert(sample.block->facts.begin(),
                                                            sample.block->facts.end());
        }
      }
    }
  }
}

bool ran_nothing(const History& history) {
  return std::none_of(history.invocations.begin(), history.invocations.end(),
                      [](const Invocation& invocation) { return invocation.ok(); });
}

// The reporter says how much was left undecided.
bool ended_by_budget(const History& history, const Standing& standing, const Report& report) {
  return standing.ended && !history.interrupted &&
         report.summary.counts.at(Verdict::inconclusive) > 0;
}

}  // namespace

Report analyze(const Plan& plan, const History& history, const Policy& policy,
               const std::vector<Target>& targets) {
  const Standing standing = standing_of(plan, history, policy);
  Report report;
  report.id = plan.run_id;
  report.base = plan.base;
  report.head = plan.head;
  report.environment = plan.environment;
  report.size = plan.size;
  report.seed = plan.seed;
  report.policy = policy;
  report.judged = standing.judged;
  report.measured = history.measured;
  report.interrupted = history.interrupted;
  report.nothing_ran = ran_nothing(history);
  for (const std::string& warning : plan.warnings) {
    report.warnings.push_back({"plan", warning});
  }

  for (const WorkloadStanding& workload : standing.workloads) {
    for (Comparison& row : comparison_rows(workload, standing, policy)) {
      report.comparisons.push_back(std::move(row));
    }
  }
  for (const std::string& name : plan.missing) {
    report.comparisons.push_back(missing_row(name, policy));
  }
  std::stable_sort(report.comparisons.begin(), report.comparisons.end(),
                   [](const Comparison& a, const Comparison& b) {
                     return std::tie(a.workload, a.metric.name) <
                            std::tie(b.workload, b.metric.name);
                   });
  report.controls = control_results(standing);
  add_control_warnings(report.controls, report.comparisons);
  report.summary = summarize(report.comparisons);
  report.targets = target_results(targets, standing, plan.size);
  for (Warning& warning : target_warnings(targets, standing, plan.size)) {
    report.warnings.push_back(std::move(warning));
  }
  collect_facts(standing, report);
  report.budget_spent = ended_by_budget(history, standing, report);
  return report;
}

}  // namespace perf
