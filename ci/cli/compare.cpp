#include "ci/cli/compare.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "ci/cli/clock.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/interruption.h"
#include "ci/cli/output.h"
#include "ci/cli/progress.h"
#include "ci/cli/reproduce.h"
#include "ci/cli/store_path.h"
#include "collector/build/build_cache.h"
#include "collector/build/plan.h"
#include "collector/collect.h"
#include "collector/git/repository.h"
#include "collector/machine/environment.h"
#include "collector/process/monotonic.h"
#include "collector/process/workload_runner.h"
#include "schema/store/store.h"

namespace perf {
namespace {

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

PlannedRun plan_run(const Options& options, const Repository& repository, const Store& store,
                    const RunProcess& run_process) {
  PlanOptions wanted;
  wanted.base = options.base;
  wanted.head = options.head;
  if (!options.config.empty())
    wanted.config_file = options.config;
  wanted.size = options.size;
  wanted.seed = options.seed;
  wanted.workload_globs = options.workloads;
  wanted.pins = store.pins();
  wanted.variable = environment_variable;
  wanted.environment = probe_environment(this_machine(run_process));
  return make_plan(repository, wanted);
}

/// Builds both sides; what cannot be built is said at once, and again in the report.
Checkouts build(PlannedRun& run, const Repository& repository, const RunProcess& run_process,
                ProgressView& progress) {
  const auto say = [&progress](const std::string& line) { progress.say(line); };
  const Checkouts checkouts = prepare(run, repository, build_cache_folder(environment_variable),
                                      run_process, say, [] { return interruption() != 0; });
  if (run.plan.base && !checkouts.base.failure.empty() && !checkouts.base.interrupted)
    progress.say("base cannot be measured: " + checkouts.base.failure);
  if (!checkouts.head.failure.empty() && !checkouts.head.interrupted)
    progress.say("head cannot be measured: " + checkouts.head.failure);
  apply_failures(checkouts, run.plan);
  return checkouts;
}

/// The heart: as long as a decision wants evidence, measure it; every invocation is stored as it
/// ends.
History measure(const Plan& plan, const Policy& policy, const Options& options,
                const Checkouts& checkouts, Spawner& spawner, Store& store,
                ProgressView& progress) {
  WorkloadRunner runner(make_run_process(spawner));
  CollectHooks hooks;
  hooks.store = [&](const Invocation& invocation) {
    store.add(plan.run_id, invocation);
    if (options.verbose)
      progress.tell(invocation);
  };
  hooks.clock = monotonic_seconds;
  hooks.interrupted = [] { return interruption() != 0; };
  hooks.progress = [&](const Progress& now) { progress.update(now); };

  History history;
  history.interrupted = interruption() != 0;  // while building: what was not measured is not judged
  while (const std::optional<Demand> demand = next(plan, history, policy)) {
    progress.begin(plan, *demand, history.measured);
    const std::size_t before = history.invocations.size();
    collect(*demand, plan, checkouts, runner, hooks, history);
    if (history.invocations.size() == before)
      break;  // interrupted, or out of budget, before the first of them
    progress.show(analyze(plan, history, policy, {}));
  }
  return history;
}

Report report_of(const PlannedRun& run, const History& history, const Policy& policy,
                 const Options& options) {
  Report report = analyze(run.plan, history, policy, run.config.targets);
  report.generated_at = utc_now();
  report.tool_version = PERF_COMPARE_VERSION;
  report.config_source = run.config_source;
  report.reproduce = reproduce_commands(run.plan, options);
  return report;
}

}  // namespace

int compare_command(const Options& options, Spawner& spawner) {
  check_outputs(options);
  catch_interruptions();
  spawner.set_interrupted([] { return interruption() != 0; });
  const RunProcess run_process = make_run_process(spawner);

  const Repository repository = Repository::open(options.repo, run_process);
  Store store(store_path(options, repository));
  PlannedRun run = plan_run(options, repository, store, run_process);
  const Policy policy = apply(run.config.policy, options);
  ProgressView progress(stderr, ProgressView::style_of_stderr(options.quiet), policy.budget);
  for (const std::string& warning : run.plan.warnings)
    progress.say("warning: " + warning);

  store.begin_run(run.plan, policy, PERF_COMPARE_VERSION);
  const Checkouts checkouts = build(run, repository, run_process, progress);
  const History history = measure(run.plan, policy, options, checkouts, spawner, store, progress);
  const Report report = report_of(run, history, policy, options);
  store.finish_run(report, history.budget_spent);
  const std::vector<Error> errors = write_outputs(report, options);
  for (const Error& error : errors)
    print_error(error);
  if (interruption() != 0)
    return 128 + interruption();
  const int code = exit_code(report, options.strict);
  return code != kRegression && !errors.empty() ? kNotMeasured : code;
}

}  // namespace perf
