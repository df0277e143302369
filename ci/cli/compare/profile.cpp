#include <algorithm>
#include <utility>

#include "analyzer/rows/profile_changes.h"
#include "ci/cli/commands.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/explain.h"
#include "ci/cli/run/run.h"
#include "ci/cli/run/signals.h"
#include "collector/profile/profile_workload.h"
#include "collector/randomness.h"
#include "reporter/render.h"

namespace perf {
namespace {

/// One revision, or with `second` that one against it.
PlannedRun plan_profiles(const Context& context) {
  const Options& options = context.options;
  PlanOptions wanted = plan_options(context);
  wanted.head_only = options.second_revision.empty();
  wanted.base = options.revision;
  wanted.head = wanted.head_only ? options.revision : options.second_revision;
  return make_plan(*context.repository, wanted);
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
  return std::ranges::any_of(report.workloads, [](const WorkloadProfile& one) {
    return !one.head.problem.empty() || (one.base && !one.base->problem.empty());
  });
}

}  // namespace

const Profile& Profiling::of(std::size_t workload, Side side) {
  const auto key = std::make_pair(workload, side);
  const auto found = taken_.find(key);
  return found != taken_.end() ? found->second
                               : taken_.emplace(key, take(workload, side)).first->second;
}

Profile Profiling::take(std::size_t index, Side side) {
  const PlannedWorkload& planned = run_.planned.plan.workloads[index];
  const Checkout& checkout = side == Side::base ? run_.checkouts.base : run_.checkouts.head;
  Profile profile;
  profile.problem = checkout.failure.empty() ? "" : "it " + failure_line(checkout);
  if (!profile.problem.empty()) {
    return profile;
  }
  const Workload workload = workload_at(planned, side);
  run_.progress->say("profiling " + workload.name + (side == Side::base ? " at base" : " at head"));
  Invocation invocation;
  invocation.workload = workload.name;
  invocation.side = side;
  invocation.steps_wanted = run_.policy.max_steps;  // so that the start has little weight
  invocation.warmup_wanted = run_.policy.warmup_steps;
  invocation.seed = draw_pair(run_.planned.plan.seed, workload.name, 0, 1).seed;
  return profile_workload(run_.context.run_process, workload, checkout.directory, invocation);
}

int profile_command(const Options& options, Spawner& spawner) {
  Context context = open_context(options, spawner);
  PlannedRun planned = plan_profiles(context);
  const Policy policy = apply(planned.config.policy, options);
  ProgressView progress(options, policy.budget);
  Run run{context, std::move(planned), policy, &progress};
  build(run);
  Profiling profiling(run);
  const ProfileReport report = profile_all(run.planned.plan, profiling);
  if (is_interrupted()) {
    return end_command({}, kFine);
  }
  return end_command(page_renderings_of(report, render_profile_json), options,
                     any_problem(report) ? kNotMeasured : kFine);
}

}  // namespace perf
