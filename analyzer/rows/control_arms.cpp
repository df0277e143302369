#include <map>
#include <string>
#include <tuple>

#include "analyzer/rows/comparison_rows.h"
#include "analyzer/statistics/shift.h"

namespace perf {
namespace {

ControlResult result_of(const MetricStanding& one) {
  ControlResult result;
  result.workload = one.series.workload;
  result.metric = one.series.metric;
  result.pairs = static_cast<int>(one.differences.size());
  result.alarmed = is_change(one.decision.verdict);
  std::tie(result.change, result.interval) = shown_change(one.differences, one.rule.look_alpha);
  return result;
}

bool excludes_zero(const ControlResult& control) {
  return control.interval && (control.interval->low > 0 || control.interval->high < 0);
}

std::map<std::string, double> figures_of(const ControlResult& control) {
  std::map<std::string, double> figures{{"pairs", control.pairs}};
  if (control.change) {
    figures["change"] = *control.change;
  }
  if (control.interval) {
    figures["low"] = control.interval->low;
    figures["high"] = control.interval->high;
  }
  return figures;
}

}  // namespace

std::vector<ControlResult> arm_results(const std::vector<WorkloadStanding>& beside) {
  std::vector<ControlResult> results;
  for (const WorkloadStanding& workload : beside) {
    for (const MetricStanding& one : workload.series) {
      if (one.under_test && !one.incomparable) {
        results.push_back(result_of(one));
      }
    }
  }
  return results;
}

std::vector<Warning> add_audit_warnings(const std::vector<ControlResult>& audits,
                                        std::vector<Comparison>& rows) {
  std::vector<Warning> warnings;
  for (const ControlResult& audit : audits) {
    if (audit.alarmed) {
      warnings.push_back({WarningKind::audit_alarm,
                          figures_of(audit),
                          {{"workload", audit.workload}, {"metric", audit.metric.name}}});
      if (Comparison* row = find_row(audit.workload, audit.metric, rows)) {
        row->warnings.push_back(warnings.back());
      }
    }
  }
  return warnings;
}

void add_control_warnings(const std::vector<ControlResult>& controls,
                          std::vector<Comparison>& rows) {
  for (const ControlResult& control : controls) {
    Comparison* row = find_row(control.workload, control.metric, rows);
    if (row && (control.alarmed || excludes_zero(control))) {
      row->warnings.push_back(
          {control.alarmed ? WarningKind::control_alarm : WarningKind::control_shift,
           figures_of(control)});
      row->warnings.back().figures["threshold"] = row->threshold;
    }
  }
}

}  // namespace perf
