#include "ci/cli/calibrate.h"

#include "analyzer/analyze.h"
#include "analyzer/calibrate/calibration.h"
#include "ci/cli/clock.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/interruption.h"
#include "ci/cli/output.h"
#include "ci/cli/progress.h"
#include "ci/cli/reproduce.h"
#include "ci/cli/session.h"
#include "collector/machine/environment.h"
#include "collector/process/workload_runner.h"
#include "reporter/render.h"
#include "schema/error.h"

namespace perf {
namespace {

PlannedRun plan_calibration(const Session& session) {
  PlanOptions wanted = plan_options(session);
  wanted.base = wanted.head = session.options.revision;
  PlannedRun run = make_plan(session.repository, wanted);
  run.plan.purpose = Purpose::calibrate;
  return run;
}

/// The config's policy, with the pairs of a calibration: the run's own looks end at the last of
/// them.
Policy calibration_policy(const Config& config, const Options& options) {
  Policy policy = apply(config.policy, options);
  policy.min_pairs = 0;
  policy.max_pairs = options.pairs ? options.pairs->second : kCalibrationPairs;
  return policy;
}

/// The run's own report is kept with it: an A/A verdict is evidence like any other.
void store_results(Session& session, const PlannedRun& run, const History& history,
                   const Policy& policy, const Calibration& calibration) {
  Report report = analyze(run.plan, history, policy, {});
  report.generated_at = calibration.generated_at;
  report.tool_version = calibration.tool_version;
  report.config_source = run.config_source;
  report.reproduce = {"perf-compare calibrate " + run.plan.head.oid + " --size " + run.plan.size +
                      deciding_options(session.options) + " --seed " +
                      std::to_string(run.plan.seed)};
  session.store.finish_run(report, history.budget_spent);
  session.store.add_calibration(calibration);
}

Calibration measure_calibration(Session& session, PlannedRun& run, const Policy& policy) {
  ProgressView progress(stderr, ProgressView::style_of_stderr(session.options.quiet),
                        policy.budget);
  for (const std::string& warning : run.plan.warnings) {
    progress.say("warning: " + warning);
  }
  const std::string started_at = utc_now();
  const Checkouts checkouts = build(session, run, progress);
  // Not before: what could not be built belongs to the plan that is stored.
  session.store.begin_run(run.plan, policy, PERF_COMPARE_VERSION, started_at);
  WorkloadRunner runner(session.run_process);
  History history;
  measure(
      session, run.plan, checkouts, runner, progress,
      [&](const History& now) { return next_calibration(run.plan, now, policy, policy.max_pairs); },
      history);
  Calibration calibration = calibrate(run.plan, history, policy);
  calibration.generated_at = utc_now();
  calibration.tool_version = PERF_COMPARE_VERSION;
  store_results(session, run, history, policy, calibration);
  return calibration;
}

Calibration stored_calibration(const Session& session) {
  const std::string& size = session.options.size;
  const Environment here = probe_environment(this_machine(session.run_process));
  std::optional<Calibration> found = session.store.latest_calibration(here.fingerprint, size);
  if (!found) {
    throw Error("this machine was not calibrated", "size " + size,
                "perf-compare calibrate --size " + size);
  }
  found->warnings = calibration_warnings(*found);
  return *found;
}

std::vector<Error> write_calibration(const Calibration& calibration, const Options& options) {
  Renderings renderings;
  renderings.terminal = [&](bool color) { return render_calibration_terminal(calibration, color); };
  renderings.json = [&] { return render_calibration_json(calibration); };
  renderings.markdown = [&] { return render_calibration_markdown(calibration); };
  renderings.html = [&] { return render_calibration_html(calibration); };
  renderings.github.summary = [&](std::size_t limit) {
    return render_github_summary(calibration, limit);
  };
  return write_outputs(renderings, options);
}

}  // namespace

int calibrate_command(const Options& options, Spawner& spawner) {
  if (options.show && !options.workloads.empty()) {
    throw UsageError("--show tells the whole of what was measured", "-w " + options.workloads[0],
                     "leave -w out, or --show");
  }
  if (options.pairs && options.pairs->first > 0) {
    throw UsageError("a calibration has one number of pairs",
                     "--pairs " + std::to_string(options.pairs->first) + ":" +
                         std::to_string(options.pairs->second),
                     "--pairs " + std::to_string(options.pairs->second));
  }
  Session session = open_session(options, spawner);
  Calibration calibration;
  if (options.show) {
    calibration = stored_calibration(session);
  } else {
    PlannedRun run = plan_calibration(session);
    calibration = measure_calibration(session, run, calibration_policy(run.config, options));
  }
  const std::vector<Error> errors = write_calibration(calibration, options);
  for (const Error& error : errors) {
    print_error(error);
  }
  if (interruption() != 0) {
    return 128 + interruption();
  }
  return calibration.series.empty() || !errors.empty() ? kNotMeasured : kFine;
}

}  // namespace perf
