#include "ci/cli/explain.h"

#include <algorithm>

#include "analyzer/rows/layout_effect.h"
#include "analyzer/rows/profile_changes.h"
#include "analyzer/samples/planned_workload.h"
#include "ci/cli/interruption.h"
#include "ci/cli/layout.h"
#include "ci/cli/profiling.h"
#include "collector/process/monotonic.h"

namespace perf {
namespace {

std::optional<double> median_of(const std::optional<SideStats>& side) {
  return side ? std::optional<double>(side->median) : std::nullopt;
}

void name_functions(const Explanation& with, Profiling& profiling, Comparison& row) {
  const std::optional<std::size_t> workload = workload_of(row, with.run.plan);
  if (!workload) {
    return;
  }
  const Profile& base = profiling.of(*workload, Side::base);
  const Profile& head = profiling.of(*workload, Side::head);
  const std::string& problem = base.problem.empty() ? head.problem : base.problem;
  if (!problem.empty()) {
    row.notes.push_back("not profiled: " + problem);
    return;
  }
  // Phases and other times of a workload share its profile, but not its step.
  const bool is_step = row.metric == kStepTime;
  row.functions = is_step ? profile_changes(base, head, median_of(row.base), median_of(row.head))
                          : profile_changes(base, head);
}

void look_behind(const Explanation& with, const History& history, Report& report) {
  const double started = monotonic_seconds();
  Profiling profiling(with.session, with.run.plan, with.policy, with.checkouts, with.progress);
  if (with.session.options.profile_changes) {
    for (Comparison& row : report.comparisons) {
      if (is_flagged_time(row) && interruption() == 0) {
        name_functions(with, profiling, row);
      }
    }
  }
  const double left = with.policy.budget - history.measured - (monotonic_seconds() - started);
  label_layout_effects(with, profiling, history, left, report);
}

}  // namespace

void explain_changes(const Explanation& with, const History& history, Report& report) {
  const bool any = std::any_of(report.comparisons.begin(), report.comparisons.end(),
                               [](const Comparison& row) { return is_flagged_time(row); });
  if (!any || !with.run.plan.base || interruption() != 0) {
    return;
  }
  try {
    look_behind(with, history, report);
  } catch (const Error& error) {
    if (interruption() == 0) {
      report.warnings.push_back({"not_explained", "what is behind the changes was not found out: " +
                                                      error.what + ": " + error.subject});
    }
  }
}

}  // namespace perf
