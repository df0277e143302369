#include "ci/cli/profile.h"

#include <vector>

#include "analyzer/rows/profile_changes.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/interruption.h"
#include "ci/cli/output.h"
#include "ci/cli/profiling.h"
#include "ci/cli/progress.h"
#include "ci/cli/session.h"
#include "reporter/render.h"
#include "schema/error.h"

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
  PlannedRun run = plan_profiles(session);
  const Policy policy = apply(run.config.policy, options);
  ProgressView progress(stderr, ProgressView::style_of_stderr(options.quiet), policy.budget);
  const Checkouts checkouts = build(session, run, progress);
  Profiling profiling(session, run.plan, policy, checkouts, progress);
  const ProfileReport report = profile_all(run.plan, profiling);
  if (interruption() != 0) {
    return 128 + interruption();
  }
  const std::vector<Error> errors =
      write_outputs({[&](bool color) { return render_profile_terminal(report, color); },
                     [&] { return render_profile_json(report); },
                     {}},
                    options);
  for (const Error& error : errors) {
    print_error(error);
  }
  return any_problem(report) || !errors.empty() ? kNotMeasured : kFine;
}

}  // namespace perf
