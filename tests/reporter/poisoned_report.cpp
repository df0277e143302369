#include "tests/reporter/samples.h"

namespace perf::samples {

Report poisoned_report(const std::string& text) {
  Report report = mixed();
  report.targets = targets().targets;
  for (Comparison& comparison : report.comparisons) {
    comparison.workload = text;
    comparison.metric.name = text;
    comparison.metric.unit = text;
    comparison.params[text] = text;
    comparison.notes = {note_of(text)};
    comparison.warnings = {{WarningKind::not_counted, {}, {{"why", text + "!"}}}};
    comparison.phases = {{text, 0.2, 0.1, 0.3, Interval{0.1, 0.3}, true, 0.9}};
    comparison.warmup = WarmupBenefit{2, 1, 1.0};
    comparison.checks = {{text, true, false, 0.1, 0.01}};
  }
  for (TargetResult& result : report.targets) {
    result.target.name = result.target.of = result.target.metric = text;
    result.target.when = result.found = {{text, text}};
  }
  report.base->name = report.base->rule = report.base->subject = report.base->author = text;
  report.head.name = report.head.rule = report.head.subject = report.head.oid = text;
  MeasuredOn& on = report.environments.emplace_back();
  on.environment.machine = {{"cpu_model", text}, {text, text}};
  on.environment.facts = {{text, text}};
  on.host = text;
  on.workloads = {text};
  on.shard = Shard{1, 2};
  report.environments.push_back(on);
  report.environments.back().environment.facts = {{text, "another"}};
  report.environments.back().shard = Shard{2, 2};
  report.workload_facts = {{text, {{"blas", text}, {text, text}}}};
  report.id = report.size = report.config_source = report.build_source = report.tool_version = text;
  report.warnings = {{WarningKind::failed, {}, {{"why", text}}}};
  report.families = {{text, text, 0.1, Interval{0, 0.2}, 2}};
  report.trade_offs = {{text, {}, 1, {{{text, "B"}, 1}}, {{{text, text}, 1}}}};
  report.reproduce = {text};
  return report;
}

}  // namespace perf::samples
