#include <utility>
#include <vector>

#include "analyzer/rows/profile_changes.h"
#include "ci/cli/commands.h"
#include "ci/cli/end_command.h"
#include "ci/cli/output.h"
#include "ci/cli/profiling.h"
#include "ci/cli/run.h"
#include "ci/cli/signals.h"
#include "reporter/render.h"

namespace perf {
namespace {

/// One revision, or with `second` that one against it.
PlannedRun plan_profiles(const Session& session) {
  const Options& options = session.options;
  PlanOptions wanted = plan_options(session);
  wanted.head_only = options.second_revision.empty();
  wanted.base = options.revision;
  wanted.head = wanted.head_only ? options.revision : options.second_revision;
  return make_plan(session.repository, wanted);
}

ProfileReport profile_all(const Plan& plan, Profiling& profiling) {
  ProfileReport report;
  report.base = plan.base;
  report.head = plan.head;
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    WorkloadProfile one;
    one.workload = plan.workloads[i].workload.name;
    if (plan.base) {
      one.base = profiling.of(i, Side::base);
    }
    one.head = profiling.of(i, Side::head);
    if (one.base) {
      one.changes = profile_changes(*one.base, one.head, one.base->step_time, one.head.step_time);
    }
    report.workloads.push_back(std::move(one));
  }
  return report;
}

bool any_problem(const ProfileReport& report) {
  for (const WorkloadProfile& one : report.workloads) {
    if (!one.head.problem.empty() || (one.base && !one.base->problem.empty())) {
      return true;
    }
  }
  return false;
}

}  // namespace

int profile_command(const Options& options, Spawner& spawner) {
  Session session = open_session(options, spawner);
  PlannedRun planned = plan_profiles(session);
  const Policy policy = apply(planned.config.policy, options);
  ProgressView progress(options, policy.budget);
  Run run{session, std::move(planned), policy, &progress};
  build(run);
  Profiling profiling(run);
  const ProfileReport report = profile_all(run.planned.plan, profiling);
  if (is_interrupted()) {
    return end_command({}, kFine);
  }
  return end_command(
      write_outputs(renderings_of(report, render_profile_terminal, render_profile_json), options),
      any_problem(report) ? kNotMeasured : kFine);
}

}  // namespace perf
