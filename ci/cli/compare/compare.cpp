#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "analyzer/analyze.h"
#include "analyzer/rows/target_results.h"
#include "analyzer/rule/early_looks.h"
#include "analyzer/samples/measured_workloads.h"
#include "ci/cli/commands.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/explain.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/plan_digest.h"
#include "ci/cli/run/run.h"
#include "collector/plan/config_source.h"
#include "collector/plan/plan.h"
#include "collector/process/workload_runner.h"
#include "schema/error.h"

namespace perf {
namespace {

/// Throws Error if the checked-out commit has no valid config; a bisection needs one for all
/// commits.
void require_config_of_commit(const Repository& repository) {
  try {
    if (!config_of_working_tree(repository)) {
      throw no_config(repository);
    }
  } catch (const UsageError& error) {
    throw Error(error.what, error.subject, "pass a config outside the repository: --config FILE");
  }
}

PlannedRun plan_comparison(Context& context) {
  if (context.options.git_bisect && context.options.config.empty()) {
    require_config_of_commit(*context.repository);
  }
  PlannedRun run = make_plan(*context.repository, plan_options(context));
  if (context.options.count) {
    require_callgrind(context.run_process);
    run.counts = true;
  }
  return run;
}

/// Shows before the first pair whether the budget reaches a look, if the latest comparison in the
/// store has pairs of the same workloads on this machine.
void show_first_pairs_of_before(const Run& run) {
  const Plan& plan = run.planned.plan;
  const Store& store = run.context.store;
  const std::optional<std::string> id = store.latest_comparison();
  if (!id) {
    return;
  }
  Plan before = store.load_plan(*id);
  std::erase_if(before.workloads, [&](const PlannedWorkload& old) {
    return runs_the_same(old) ||
           std::ranges::none_of(plan.workloads, [&](const PlannedWorkload& one) {
             return one.workload.name == old.workload.name &&
                    one.workload.params == old.workload.params &&
                    one.workload.outside == old.workload.outside && !runs_the_same(one);
           });
  });
  const auto measured =
      static_cast<std::size_t>(std::ranges::count_if(plan.workloads, std::not_fn(runs_the_same)));
  if (measured > 0 && before.workloads.size() == measured && before.size == plan.size &&
      before.environment.fingerprint == plan.environment.fingerprint) {
    for (PlannedWorkload& planned : before.workloads) {
      planned.trace_record.reset();  // it is of other commits
      planned.new_files = {};
    }
    Measurements first = store.load(*id);
    std::erase_if(first.invocations,
                  [](const Invocation& one) { return one.pair > 0 || one.traced; });
    first.measured = 0;
    first.budget_spent = first.interrupted = false;
    const Standing standing = standing_of(before, first, run.policy);
    run.progress->show(analyze(standing));
    run.progress->tell_price(first_verdicts(standing));
  }
}

/// Comparisons that are searched for results of targets.
constexpr std::int64_t kMostSearched = 20;

/// The targets of workloads that run the same program, as of the last measurement of base here;
/// workloads without one are measured.
std::vector<TargetResult> targets_of_before(Run& run) {
  Plan& plan = run.planned.plan;
  const Store& store = run.context.store;
  const std::vector<Target>& targets = run.planned.config.targets;
  std::vector<EarlierTargets> told;
  if (!targets.empty()) {
    for (const std::string& id : store.comparisons_at(plan.base->oid, plan.environment.fingerprint,
                                                      plan.size, kMostSearched)) {
      if (std::optional<Report> report = store.load_report(id)) {
        told.push_back({store.load_plan(id), report->generated_at, std::move(report->targets)});
      }
    }
  }
  std::vector<TargetResult> known = known_targets(targets, plan, told);
  for (const std::size_t needed : workloads_for_targets(plan, targets, known)) {
    plan.workloads[needed].trace_record->needed_by_target = true;
    plan.workloads[needed].trace_record->audited = false;
  }
  return known;
}

void add_targets_of_before(const std::vector<TargetResult>& known, Report& report) {
  for (TargetResult& result : report.targets) {
    const auto before = std::ranges::find(known, result.target, &TargetResult::target);
    if (!result.value && before != known.end()) {
      result = *before;
    }
  }
}

}  // namespace

int compare_command(const Options& options, Spawner& spawner) {
  Context context = open_context(options, spawner);
  PlannedRun planned = plan_comparison(context);
  Policy policy = apply(planned.config.policy, options);
  take_shard(planned, policy, options);
  warn_of_missing_supervisor(planned.plan);
  warn_of_other_benchmark(context, planned);
  if (options.control) {
    add_control_arms(planned.plan);
  }
  const bool is_empty = planned.plan.workloads.empty();  // a shard may be
  if (planned.plan.base && !options.count && !is_empty) {
    require_any_look(policy, 1);  // later with what is known of the workloads
  }
  ProgressView progress(options, policy.budget);
  Run run{context, std::move(planned), policy, &progress, true};
  const Plan& plan = run.planned.plan;
  print_warnings(plan, progress);
  if (!is_empty) {
    build(run);
  }
  std::vector<TargetResult> known;
  if (options.measure == "changed" && !options.control && !options.count) {
    trace_run(run);
    known = targets_of_before(run);
  }
  recall_noise(context.store, policy, run.planned.plan);
  show_first_pairs_of_before(run);
  Report report = carry_out(run, {}, run.planned.config.targets);
  add_targets_of_before(known, report);
  report.reproduce = reproduce_commands(plan, options);
  add_environment_warnings(run, report);
  if (!options.git_bisect) {
    explain_changes(run, report);
  }
  store_report(run, report);
  return end_command(
      report, [&] { return measured_workloads(plan, run.measurements); }, options);
}

}  // namespace perf
