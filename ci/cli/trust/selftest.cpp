#include "analyzer/selftest/selftest.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "ci/cli/commands.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/run/run.h"
#include "collector/plant/planting_runner.h"
#include "reporter/render.h"

namespace perf {
namespace {

/// One arm, measured.
struct Arm {
  Report report;
  Measurements measurements;
};

PlannedRun plan_selftest(const Context& context) {
  PlannedRun run = plan_against_itself(context, Purpose::selftest);
  run.plan.base = run.plan.head;
  run.base_build = run.head_build;
  run.plan.missing.clear();
  return run;
}

/// Why nothing can be preloaded into this workload; empty where it can.
std::string preload_refusal(const Workload& workload, const Checkouts& checkouts) {
  try {
    plant_library();
  } catch (const Error& error) {
    return error.what + ": " + error.subject + (error.hint.empty() ? "" : "; " + error.hint);
  }
  return preload_obstacle(workload.command, checkouts.head.directory,
                          environment_variable("PATH").value_or(""));
}

/// Whether preloading works depends on the checkout.
void refuse_preloads(const Plan& plan, const Checkouts& checkouts, std::vector<Plant>& plants) {
  for (const PlannedWorkload& planned : plan.workloads) {
    for (Plant& plant : plants) {
      if (plant.workload == planned.workload.name && plant.way == PlantWay::preload) {
        plant.refused = preload_refusal(planned.workload, checkouts);
      }
    }
  }
}

bool any_preload(const std::vector<Plant>& plants) {
  return std::ranges::any_of(plants, [](const Plant& plant) {
    return plant.way == PlantWay::preload && plant.refused.empty();
  });
}

/// An ordinary comparison that ends once its question is answered.
std::optional<Demand> next_of_arm(const Standing& standing, const std::vector<Plant>& plants) {
  const bool answered =
      is_answered(selftest_rows(*standing.plan, plants, analyze(standing), *standing.measurements));
  return answered ? std::nullopt : next(standing);
}

/// One arm of a built run, within this budget in seconds.
Arm measure_arm(const Run& built, const Plan& plan, double budget, const std::vector<Plant>& plants,
                Selftest& selftest) {
  Context& context = built.context;
  ProgressView progress(context.options, budget);
  PlantingRunner runner(context.run_process, plants,
                        any_preload(plants) ? plant_library() : std::filesystem::path());
  Run run{context, built.planned, built.policy, &progress, true, &runner};
  run.planned.plan = plan;
  run.policy.budget = budget;
  run.checkouts = built.checkouts;
  Report report =
      carry_out(run, [&](const Standing& standing) { return next_of_arm(standing, plants); });
  store_report(run, report);
  selftest.runs.push_back(plan.run_id);
  selftest.measured += run.measurements.measured;
  selftest.interrupted = selftest.interrupted || run.measurements.interrupted;
  return {std::move(report), std::move(run.measurements)};
}

/// Nothing planted, a slowdown, an allocation. The unused budget of an arm goes to those after it.
void measure_arms(const Run& run, Selftest& selftest) {
  const Plan& plan = run.planned.plan;
  const double whole = run.policy.budget;
  run.progress->say("1 of 3: nothing planted");
  const Arm quiet = measure_arm(run, plan, whole / 3, {}, selftest);
  selftest.rows = selftest_rows(plan, {}, quiet.report, quiet.measurements);
  int arms_left = 2;
  for (const PlantKind kind : {PlantKind::slowdown, PlantKind::allocation}) {
    run.progress->say(std::to_string(4 - arms_left) + " of 3: a planted " +
                      std::string(to_string(kind)));
    std::vector<Plant> plants = choose_plants(kind, plan, quiet.report);
    refuse_preloads(plan, run.checkouts, plants);
    Plan planted = planted_plan(plan, plants);
    planted.run_id += "-" + std::string(to_string(kind));
    const double budget = (whole - selftest.measured) / arms_left--;
    Arm arm;
    if (!planted.workloads.empty() && !selftest.interrupted) {
      arm = measure_arm(run, planted, budget, plants, selftest);
    }
    std::ranges::move(selftest_rows(plan, plants, arm.report, arm.measurements),
                      std::back_inserter(selftest.rows));
  }
}

Selftest begin_selftest(const Plan& plan, const Policy& policy) {
  Selftest selftest;
  stamp(selftest);
  selftest.revision = plan.head;
  selftest.environment = plan.environment;
  selftest.size = plan.size;
  selftest.seed = plan.seed;
  selftest.policy = policy;
  return selftest;
}

int exit_code(GateState state) {
  return state == GateState::works    ? kFine
         : state == GateState::broken ? kRegression
                                      : kNotMeasured;
}

}  // namespace

int selftest_command(const Options& options, Spawner& spawner) {
  Context context = open_context(options, spawner);
  PlannedRun planned = plan_selftest(context);
  Policy policy = apply(planned.config.policy, options);
  policy.budget = options.budget.value_or(kSelftestBudget);
  ProgressView progress(options, policy.budget);
  Run run{context, std::move(planned), policy, &progress};
  print_warnings(run.planned.plan, progress);
  build(run);
  Selftest selftest = begin_selftest(run.planned.plan, policy);
  measure_arms(run, selftest);
  selftest.state = gate_state(selftest.rows);
  return end_command(page_renderings_of(selftest, render_selftest_json), options,
                     exit_code(selftest.state));
}

}  // namespace perf
