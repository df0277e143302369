#include "ci/cli/compare.h"

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "ci/cli/clock.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/interruption.h"
#include "ci/cli/output.h"
#include "ci/cli/progress.h"
#include "ci/cli/reproduce.h"
#include "ci/cli/session.h"
#include "collector/process/workload_runner.h"

namespace perf {
namespace {

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
  Session session = open_session(options, spawner);
  PlannedRun run = make_plan(session.repository, plan_options(session));
  const Policy policy = apply(run.config.policy, options);
  ProgressView progress(stderr, ProgressView::style_of_stderr(options.quiet), policy.budget);
  for (const std::string& warning : run.plan.warnings)
    progress.say("warning: " + warning);

  session.store.begin_run(run.plan, policy, PERF_COMPARE_VERSION);
  const Checkouts checkouts = build(session, run, progress);
  WorkloadRunner runner(session.run_process);
  History history;
  measure(
      session, run.plan, checkouts, runner, progress,
      [&](const History& now) { return next(run.plan, now, policy); }, history,
      [&](const History& now) { progress.show(analyze(run.plan, now, policy, {})); });
  const Report report = report_of(run, history, policy, options);
  session.store.finish_run(report, history.budget_spent);
  const std::vector<Error> errors = write_outputs(report, options);
  for (const Error& error : errors)
    print_error(error);
  if (interruption() != 0)
    return 128 + interruption();
  const int code = exit_code(report, options.strict);
  return code != kRegression && !errors.empty() ? kNotMeasured : code;
}

}  // namespace perf
