#include "ci/cli/output/explain.h"

#include <algorithm>

#include "analyzer/rows/layout_effect.h"
#include "analyzer/rows/profile_changes.h"
#include "analyzer/samples/samples.h"
#include "ci/cli/run/signals.h"
#include "collector/process/process.h"

namespace perf {
namespace {

std::optional<double> median_of(const std::optional<SideStats>& side) {
  return side ? std::optional<double>(side->median) : std::nullopt;
}

void name_functions(const Run& run, Profiling& profiling, Comparison& row) {
  const std::optional<std::size_t> workload = workload_of(row.workload, run.planned.plan);
  if (!workload) {
    return;
  }
  const Profile& base = profiling.of(*workload, Side::base);
  const Profile& head = profiling.of(*workload, Side::head);
  const std::string& problem = base.problem.empty() ? head.problem : base.problem;
  if (!problem.empty()) {
    row.notes.push_back({WarningKind::not_profiled, {}, {{"why", problem}}});
    return;
  }
  // Phases and other times of a workload share its profile, but not its step.
  const bool is_step = row.metric == kStepTime;
  row.functions = is_step ? profile_changes(base, head, median_of(row.base), median_of(row.head))
                          : profile_changes(base, head);
  if (row.functions.empty()) {
    row.notes.push_back({WarningKind::functions_unchanged});
  }
}

void trace_afterwards(const Run& run, Report& report) {
  const double started = monotonic_seconds();
  Profiling profiling(run);
  if (run.context.options.profile_changes) {
    for (Comparison& row : report.comparisons) {
      if (is_flagged_time(row) && !is_interrupted()) {
        name_functions(run, profiling, row);
      }
    }
  }
  const double left =
      run.policy.budget - run.measurements.measured - (monotonic_seconds() - started);
  label_layout_effects(run, profiling, left, report);
}

}  // namespace

void explain_changes(const Run& run, Report& report) {
  const bool flagged = std::ranges::any_of(report.comparisons, is_flagged_time);
  if (run.context.options.profile_changes && !flagged) {
    run.progress->say("--profile-changes: no time regressed or improved, so nothing was profiled");
  }
  if (!flagged || !run.planned.plan.base || is_interrupted()) {
    return;
  }
  try {
    trace_afterwards(run, report);
  } catch (const Error& error) {
    if (!is_interrupted()) {
      report.warnings.push_back(
          {WarningKind::not_explained, {}, {{"why", error.what + ": " + error.subject}}});
    }
  }
}

}  // namespace perf
