#include <string>
#include <vector>

#include "reporter/openmetrics/exposition.h"
#include "reporter/render.h"
#include "reporter/text/wording.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

using namespace reporter;

Labels labels_of(const Comparison& comparison) {
  return {{"workload", comparison.workload},
          {"metric", comparison.metric.name},
          {"params", params_text(comparison.params)}};
}

/// A unit of which OpenMetrics has no word stands in a label: it may come from a stranger's file.
void add_median(const std::string& unit, const std::optional<SideStats>& stats, Labels labels,
                const char* side, Exposition& text) {
  if (!stats) {
    return;
  }
  labels.emplace_back("side", side);
  if (unit_name(unit).empty()) {
    labels.emplace_back("unit", unit);
  }
  text.gauge(family_name("perf_compare_median", unit), unit_name(unit),
             "Median of a metric on one side of the comparison.", labels, stats->median);
}

void add_ratio(const char* name, const char* help, const Labels& labels,
               const std::optional<double>& value, Exposition& text) {
  if (value) {
    text.gauge(name, "ratio", help, labels, *value);
  }
}

void add_verdict(const Comparison& comparison, const Labels& labels, Exposition& text) {
  std::vector<std::string> words =
      mapped(kVerdicts, [](const Verdict verdict) { return std::string(to_string(verdict)); });
  text.state("perf_compare_verdict", "Verdict of the comparison.", labels, words,
             std::string(to_string(*comparison.verdict)));
}

void add_comparison(const Comparison& comparison, const Labels& labels, Exposition& text) {
  Labels base = labels;
  if (comparison.base_params) {
    base.back().second = params_text(*comparison.base_params);
  }
  add_median(comparison.metric.unit, comparison.base, base, "base", text);
  add_median(comparison.metric.unit, comparison.head, labels, "head", text);
  add_ratio("perf_compare_change_ratio", "Relative change, head/base - 1; positive: it grew.",
            labels, comparison.change, text);
  if (comparison.interval) {
    add_ratio("perf_compare_change_low_ratio", "Lower end of the change's interval.", labels,
              comparison.interval->low, text);
    add_ratio("perf_compare_change_high_ratio", "Upper end of the change's interval.", labels,
              comparison.interval->high, text);
  }
  if (!verdict_of(comparison)) {
    return;
  }
  add_ratio("perf_compare_threshold_ratio", "Threshold: the smallest relevant change.", labels,
            comparison.threshold, text);
  add_ratio("perf_compare_smallest_visible_ratio", "The smallest change that these pairs can show.",
            labels, comparison.smallest_visible, text);
  text.gauge("perf_compare_pairs", "", "Pairs of processes that the verdict is based on.", labels,
             comparison.pairs);
  if (!comparison.basis.empty()) {
    text.gauge("perf_compare_same_program", "",
               "1 if both sides run the same program and were not measured, else 0.", labels,
               comparison.is_same_program() ? 1 : 0);
  }
  add_verdict(comparison, labels, text);
}

void add_target(const TargetResult& result, const Labels& labels, Exposition& text) {
  if (result.value) {
    text.gauge("perf_compare_target", "", "Value of a target, in the base unit of its metric.",
               labels, *result.value);
  }
  if (result.met) {
    text.gauge("perf_compare_target_met", "", "1 if the target is met, else 0.", labels,
               *result.met ? 1 : 0);
  }
}

}  // namespace

std::string render_openmetrics(const Report& report) {
  Exposition text;
  // The commits are left out: with them every run would be a new series.
  for (const MeasuredOn& on : report.environments) {  // those that are alike stand there once
    text.info("perf_compare_report", "Version, size and machine of the comparison.",
              {{"version", report.tool_version},
               {"size", report.size},
               {"fingerprint", on.environment.fingerprint}});
  }
  for (const auto& [verdict, count] : report.summary.counts) {
    text.gauge("perf_compare_comparisons", "", "Judged comparisons by verdict.",
               {{"verdict", std::string(to_string(verdict))}}, count);
  }
  DistinctLabels distinct;
  for (const Comparison& comparison : report.comparisons) {
    add_comparison(comparison, distinct.of(labels_of(comparison), kMetricLabel), text);
  }
  for (const ControlResult& audit : report.audits) {
    text.gauge("perf_compare_audit_alarmed", "",
               "1 if an audit measured a change although both sides run the same program, else 0.",
               {{"workload", audit.workload}, {"metric", audit.metric.name}},
               audit.alarmed ? 1 : 0);
  }
  for (const TargetResult& result : report.targets) {
    add_target(result, distinct.of({{"target", result.target.name}}, 0), text);
  }
  text.gauge("perf_compare_measuring_seconds", "seconds", "Time spent on measuring.", {},
             report.measured);
  return text.str();
}

}  // namespace perf
