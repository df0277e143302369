#include <map>
#include <string>
#include <tuple>

#include "analyzer/rows/comparison_rows.h"
#include "analyzer/rows/summary.h"
#include "analyzer/statistics/shift.h"

namespace perf {
namespace {

ControlResult result_of(const MetricStanding& one) {
  ControlResult result;
  result.workload = one.series.workload;
  result.metric = one.series.metric;
  result.pairs = static_cast<int>(one.differences.size());
  result.alarmed = one.decision.decided() && one.decision.verdict != Verdict::unchanged;
  std::tie(result.change, result.interval) = shown_change(one.differences, one.rule.look_alpha);
  return result;
}

bool excludes_zero(const ControlResult& control) {
  return control.interval && (control.interval->low > 0 || control.interval->high < 0);
}

std::map<std::string, double> figures_of(const ControlResult& control, double threshold) {
  std::map<std::string, double> figures{{"pairs", control.pairs}, {"threshold", threshold}};
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

std::vector<ControlResult> control_results(const Standing& standing) {
  std::vector<ControlResult> results;
  for (const WorkloadStanding& control : standing.controls) {
    for (const MetricStanding& one : control.series) {
      if (one.under_test && !one.incomparable) {
        results.push_back(result_of(one));
      }
    }
  }
  return results;
}

void add_control_warnings(const std::vector<ControlResult>& controls,
                          std::vector<Comparison>& rows) {
  for (const ControlResult& control : controls) {
    Comparison* row = find_row(control.workload, control.metric, rows);
    if (row && (control.alarmed || excludes_zero(control))) {
      row->warnings.push_back(
          {control.alarmed ? WarningKind::control_alarm : WarningKind::control_shift,
           figures_of(control, row->threshold)});
    }
  }
}

}  // namespace perf
