#include "analyzer/analyze.h"

#include <algorithm>
#include <string>
#include <utility>

#include "analyzer/rows/comparison_rows.h"
#include "analyzer/rows/control_arms.h"
#include "analyzer/rows/counted.h"
#include "analyzer/rows/summary.h"
#include "analyzer/rows/target_results.h"
#include "analyzer/samples/standing.h"
#include "analyzer/warnings/machine_warnings.h"

namespace perf {
namespace {

// What workloads said of themselves at head, by the name their rows bear.
void collect_facts(const Standing& standing, Report& report) {
  for (const WorkloadStanding& workload : standing.workloads) {
    for (const MetricStanding& one : workload.series) {
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

Report analyze(const Standing& standing, const std::vector<Target>& targets) {
  const Plan& plan = *standing.plan;
  const History& history = *standing.history;
  const Policy& policy = *standing.policy;
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
  report.warnings = plan.warnings;

  for (const WorkloadStanding& workload : standing.workloads) {
    std::vector<Comparison> rows = comparison_rows(workload, standing, policy);
    add_counted_row(workload, history, policy, rows);
    relate_counts_to_time(rows);
    for (Comparison& row : rows) {
      report.comparisons.push_back(std::move(row));
    }
  }
  for (const std::string& name : plan.missing) {
    report.comparisons.push_back(missing_row(name, policy));
  }
  sort_rows(report.comparisons);
  report.controls = control_results(standing);
  add_control_warnings(report.controls, report.comparisons);
  report.summary = summarize(report.comparisons);
  report.targets = target_results(targets, standing, plan.size);
  for (Warning& warning : target_warnings(targets, standing, plan.size)) {
    report.warnings.push_back(std::move(warning));
  }
  for (Warning& warning : machine_warnings(standing, policy)) {
    report.warnings.push_back(std::move(warning));
  }
  report.families = family_means(report.comparisons);
  report.trade_offs = trade_offs(standing);
  collect_facts(standing, report);
  report.budget_spent = ended_by_budget(history, standing, report);
  return report;
}

}  // namespace perf
