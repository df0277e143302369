#include "analyzer/analyze.h"

#include <algorithm>
#include <iterator>

#include "analyzer/rows/comparison_rows.h"
#include "analyzer/rows/target_results.h"
#include "analyzer/samples/standing.h"
#include "analyzer/warnings/row_warnings.h"

namespace perf {
namespace {

// Facts that workloads stated at head, by the name of their rows.
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

// A target without a value needs a reason beside the verdict.
void add_failed_targets(const WorkloadStanding& workload, const Standing& standing,
                        std::vector<Comparison>& rows) {
  for (const WorkloadStanding& one : standing.for_targets) {
    if (one.index == workload.index && one.samples.fate == Fate::failed) {
      rows.front().warnings.push_back({WarningKind::failed, {}, one.samples.reason.about()});
    }
  }
}

}  // namespace

Report analyze(const Standing& standing, const std::vector<Target>& targets) {
  const Plan& plan = *standing.plan;
  const Measurements& measurements = *standing.measurements;
  const Policy& policy = *standing.policy;
  Report report = begin_report(plan);
  report.policy = policy;
  report.judged = standing.judged;
  report.measured = measurements.measured;
  report.interrupted = measurements.interrupted;
  report.nothing_ran = !(plan.shard && plan.workloads.empty()) &&  // an empty one is done
                       std::ranges::none_of(standing.workloads, &WorkloadStanding::is_same) &&
                       std::ranges::none_of(measurements.invocations, [](const Invocation& one) {
                         return one.ok() && !one.traced;
                       });
  report.warnings = plan.warnings;

  for (const WorkloadStanding& workload : standing.workloads) {
    std::vector<Comparison> rows = comparison_rows(workload, standing, policy);
    if (const auto skipped = add_skipped_rows(workload, policy, rows)) {
      report.warnings.push_back(*skipped);
    }
    add_failed_targets(workload, standing, rows);
    add_counted_row(workload, measurements, policy, rows);
    relate_counts_to_time(rows);
    if (const auto& traced = workload.samples.planned->trace_record) {
      for (Comparison& row : rows) {
        row.measured_because = traced->why_measured();
      }
    }
    std::ranges::move(rows, std::back_inserter(report.comparisons));
  }
  for (const std::string& name : plan.missing) {
    report.comparisons.push_back(missing_row(name, policy));
  }
  sort_rows(report.comparisons);
  report.controls = arm_results(standing.controls);
  add_control_warnings(report.controls, report.comparisons);
  report.audits = arm_results(standing.audits);
  std::ranges::move(add_audit_warnings(report.audits, report.comparisons),
                    std::back_inserter(report.warnings));
  report.summary = summarize(report.comparisons);
  report.undecided = undecided_of(standing, report);
  report.targets = target_results(targets, standing, plan.size);
  std::ranges::move(target_warnings(targets, standing, plan.size),
                    std::back_inserter(report.warnings));
  std::ranges::move(machine_warnings(standing, policy), std::back_inserter(report.warnings));
  report.families = family_means(report.comparisons);
  report.trade_offs = trade_offs(standing);
  collect_facts(standing, report);
  report.budget_spent = standing.ended && !measurements.interrupted &&
                        report.summary.counts.at(Verdict::inconclusive) > 0;
  return report;
}

}  // namespace perf
