#include "ci/cli/compare.h"

#include <optional>
#include <utility>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "analyzer/samples/measured_workloads.h"
#include "analyzer/warnings/environment_warnings.h"
#include "ci/cli/clock.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/explain.h"
#include "ci/cli/git_bisect.h"
#include "ci/cli/interruption.h"
#include "ci/cli/progress.h"
#include "ci/cli/report_files.h"
#include "ci/cli/report_output.h"
#include "ci/cli/reproduce.h"
#include "ci/cli/session.h"
#include "ci/cli/stored.h"
#include "collector/build/control_arms.h"
#include "collector/machine/environment.h"
#include "collector/process/callgrind.h"
#include "collector/process/monotonic.h"
#include "collector/process/workload_runner.h"

namespace perf {
namespace {

PlannedRun plan_comparison(Session& session) {
  if (session.options.git_bisect) {
    require_config_of_commit(session.repository, session.options);
  }
  PlannedRun run = make_plan(session.repository, plan_options(session));
  if (session.options.control) {
    add_control_arms(run.plan);
  }
  if (session.options.count) {
    require_callgrind(session.run_process);
  }
  return run;
}

Report report_of(Session& session, const PlannedRun& run, const History& history,
                 const Policy& policy) {
  Report report = analyze(run.plan, history, policy, run.config.targets);
  report.generated_at = utc_now();
  report.tool_version = PERF_COMPARE_VERSION;
  report.config_source = run.config_source;
  report.reproduce = reproduce_commands(run.plan, session.options);
  const Environment afterwards = probe_environment(this_machine(session.run_process));
  for (Warning& warning : environment_warnings(run.plan.environment, afterwards)) {
    report.warnings.push_back(std::move(warning));
  }
  return report;
}

int code_of(const Report& report, const Options& options, const std::vector<Error>& unwritten) {
  if (interruption() != 0) {
    return 128 + interruption();
  }
  if (options.git_bisect) {
    return git_bisect_code(report);
  }
  const int code = exit_code(report, options.strict);
  return code != kRegression && !unwritten.empty() ? kNotMeasured : code;
}

}  // namespace

int compare_command(const Options& options, Spawner& spawner) {
  if (const std::optional<int> code = compare_report_files(options, spawner)) {
    return *code;
  }
  if (options.stored) {
    return stored_command(options, spawner);
  }
  Session session = open_session(options, spawner);
  PlannedRun run = plan_comparison(session);
  const Policy policy = apply(run.config.policy, options);
  ProgressView progress(stderr, ProgressView::style_of_stderr(options.quiet), policy.budget);
  for (const std::string& warning : run.plan.warnings) {
    progress.say("warning: " + warning);
  }

  const std::string started_at = utc_now();
  const double began_to_build = monotonic_seconds();
  const Checkouts checkouts = build(session, run, progress);
  const double build_seconds = monotonic_seconds() - began_to_build;
  // Not before: what could not be built belongs to the plan that is stored.
  session.store.begin_run(run.plan, policy, PERF_COMPARE_VERSION, started_at);
  WorkloadRunner runner(session.run_process);
  History history;
  measure(
      session, run.plan, checkouts, runner, progress,
      [&](const History& now) { return next(run.plan, now, policy); }, history,
      [&](const History& now) { progress.show(analyze(run.plan, now, policy, {})); });
  Report report = report_of(session, run, history, policy);
  if (!options.git_bisect) {
    explain_changes({session, run, policy, checkouts, runner, progress, build_seconds}, history,
                    report);
  }
  session.store.finish_run(report, history.budget_spent);
  const std::vector<Error> errors = write_outputs(
      report, [&] { return measured_workloads(run.plan, history); }, options);
  for (const Error& error : errors) {
    print_error(error);
  }
  return code_of(report, options, errors);
}

}  // namespace perf
