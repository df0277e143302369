#include <utility>

#include "analyzer/calibrate/calibration.h"
#include "analyzer/collect/collection.h"
#include "ci/cli/commands.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/run.h"
#include "collector/machine/environment.h"
#include "reporter/render.h"
#include "schema/error.h"

namespace perf {
namespace {

/// The config's policy, with the pairs of a calibration: the run's own looks end at the last of
/// them.
Policy calibration_policy(const Config& config, const Options& options) {
  Policy policy = apply(config.policy, options);
  policy.min_pairs = 0;
  policy.max_pairs = options.pairs ? options.pairs->second : kCalibrationPairs;
  return policy;
}

/// The run's own report is kept with it: an A/A verdict is evidence like any other.
Calibration measure_calibration(Context& context) {
  PlannedRun planned = plan_against_itself(context, Purpose::calibrate);
  const Policy policy = calibration_policy(planned.config, context.options);
  ProgressView progress(context.options, policy.budget);
  Run run{context, std::move(planned), policy, &progress};
  const Plan& plan = run.planned.plan;
  print_warnings(plan, progress);
  build(run);
  Report report = carry_out(run, [&](const Standing& standing) {
    return next_collection(standing, std::vector<int>(plan.workloads.size(), policy.max_pairs),
                           /*alone=*/false);
  });
  Calibration calibration = calibrate(standing_of(plan, run.measurements, policy));
  stamp(calibration);
  report.reproduce = {reproduce_command("calibrate " + plan.head.oid, plan, context.options)};
  store_report(run, report);
  context.store.add_calibration(calibration);
  return calibration;
}

Calibration stored_calibration(const Context& context) {
  const std::string& size = context.options.size;
  const Environment here = probe_environment(this_machine(context.run_process));
  std::optional<Calibration> found = context.store.latest_calibration(here.fingerprint, size);
  if (!found) {
    throw Error("this machine was never calibrated", "size " + size,
                "perf-compare calibrate --size " + size);
  }
  found->warnings = calibration_warnings(*found);
  return *found;
}

}  // namespace

int calibrate_command(const Options& options, Spawner& spawner) {
  Context context = open_context(options, spawner);
  const Calibration calibration =
      options.show ? stored_calibration(context) : measure_calibration(context);
  return end_command(page_renderings_of(calibration, render_calibration_json), options,
                     calibration.series.empty() ? kNotMeasured : kFine);
}

}  // namespace perf
