#include "ci/cli/selftest.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "analyzer/selftest/selftest.h"
#include "ci/cli/clock.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/interruption.h"
#include "ci/cli/output.h"
#include "ci/cli/progress.h"
#include "ci/cli/session.h"
#include "collector/plant/planting_runner.h"
#include "collector/plant/preload.h"
#include "reporter/render.h"

namespace perf {
namespace {

/// One arm, measured.
struct Arm {
  Report report;
  History history;
};

PlannedRun plan_selftest(const Session& session) {
  PlanOptions wanted = plan_options(session);
  wanted.base = session.options.revision;
  wanted.head = session.options.revision;
  PlannedRun run = make_plan(session.repository, wanted);
  run.plan.purpose = Purpose::selftest;
  run.plan.base = run.plan.head;
  run.base_build = run.head_build;
  run.plan.missing.clear();
  return run;
}

/// Why nothing can be preloaded into this workload here; empty where nothing speaks against it.
std::string preload_refusal(const Workload& workload, const Checkouts& checkouts) {
  try {
    plant_library();
  } catch (const Error& error) {
    return error.what + ": " + error.subject + (error.hint.empty() ? "" : "; " + error.hint);
  }
  return preload_obstacle(workload.command, checkouts.head.directory,
                          environment_variable("PATH").value_or(""));
}

/// What speaks against preloading is only known here, where the checkout is.
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
  for (const Plant& plant : plants) {
    if (plant.way == PlantWay::preload && plant.refused.empty()) {
      return true;
    }
  }
  return false;
}

/// An ordinary comparison, but that it ends where its question is answered.
std::optional<Demand> next_of_arm(const Plan& plan, const std::vector<Plant>& plants,
                                  const Policy& policy, const History& now) {
  const bool answered =
      is_answered(selftest_rows(plan, plants, analyze(plan, now, policy, {}), now));
  return answered ? std::nullopt : next(plan, now, policy);
}

/// One arm, within this budget in seconds.
Arm measure_arm(Session& session, const Plan& plan, const Checkouts& checkouts, Policy policy,
                double budget, const std::vector<Plant>& plants, Selftest& selftest) {
  policy.budget = budget;
  ProgressView progress(stderr, ProgressView::style_of_stderr(session.options.quiet), budget);
  session.store.begin_run(plan, policy, PERF_COMPARE_VERSION);
  PlantingRunner runner(session.run_process, plants,
                        any_preload(plants) ? plant_library() : std::filesystem::path());
  Arm arm;
  measure(
      session, plan, checkouts, runner, progress,
      [&](const History& now) { return next_of_arm(plan, plants, policy, now); }, arm.history,
      [&](const History& now) { progress.show(analyze(plan, now, policy, {})); });
  arm.report = analyze(plan, arm.history, policy, {});
  arm.report.generated_at = utc_now();
  arm.report.tool_version = PERF_COMPARE_VERSION;
  session.store.finish_run(arm.report, arm.history.budget_spent);
  selftest.runs.push_back(plan.run_id);
  selftest.measured += arm.history.measured;
  selftest.interrupted = selftest.interrupted || arm.history.interrupted;
  return arm;
}

void add_rows(std::vector<SelftestRow> more, Selftest& selftest) {
  for (SelftestRow& row : more) {
    selftest.rows.push_back(std::move(row));
  }
}

/// Nothing planted, a slowdown, an allocation. What an arm leaves of its share of the budget goes
/// to those after it.
void measure_arms(Session& session, const Plan& plan, const Checkouts& checkouts,
                  const Policy& policy, ProgressView& progress, Selftest& selftest) {
  progress.say("1 of 3: nothing planted");
  const Arm quiet = measure_arm(session, plan, checkouts, policy, policy.budget / 3, {}, selftest);
  add_rows(selftest_rows(plan, {}, quiet.report, quiet.history), selftest);
  int arms_left = 2;
  for (const PlantKind kind : {PlantKind::slowdown, PlantKind::allocation}) {
    progress.say(std::to_string(4 - arms_left) + " of 3: a planted " +
                 std::string(to_string(kind)));
    std::vector<Plant> plants = choose_plants(kind, plan, quiet.report);
    refuse_preloads(plan, checkouts, plants);
    Plan planted = planted_plan(plan, plants);
    planted.run_id += "-" + std::string(to_string(kind));
    const double budget = (policy.budget - selftest.measured) / arms_left--;
    Arm arm;
    if (!planted.workloads.empty() && !selftest.interrupted) {
      arm = measure_arm(session, planted, checkouts, policy, budget, plants, selftest);
    }
    add_rows(selftest_rows(plan, plants, arm.report, arm.history), selftest);
  }
}

Selftest begin_selftest(const Plan& plan, const Policy& policy) {
  Selftest selftest;
  selftest.generated_at = utc_now();
  selftest.tool_version = PERF_COMPARE_VERSION;
  selftest.revision = plan.head;
  selftest.environment = plan.environment;
  selftest.size = plan.size;
  selftest.seed = plan.seed;
  selftest.policy = policy;
  return selftest;
}

/// Writes what was asked for; answers whether all of it could be written.
bool write(const Selftest& selftest, const Options& options) {
  const std::vector<Error> errors =
      write_outputs({[&](bool color) { return render_selftest_terminal(selftest, color); },
                     [&] { return render_selftest_json(selftest); },
                     {}},
                    options);
  for (const Error& error : errors) {
    print_error(error);
  }
  return errors.empty();
}

}  // namespace

int exit_code(GateState state) {
  switch (state) {
    case GateState::works:
      return kFine;
    case GateState::broken:
      return kRegression;
    case GateState::unproven:
      break;
  }
  return kNotMeasured;
}

int selftest_command(const Options& options, Spawner& spawner) {
  Session session = open_session(options, spawner);
  PlannedRun run = plan_selftest(session);
  Policy policy = apply(run.config.policy, options);
  policy.budget = options.budget.value_or(kSelftestBudget);
  ProgressView progress(stderr, ProgressView::style_of_stderr(options.quiet), policy.budget);
  for (const std::string& warning : run.plan.warnings) {
    progress.say("warning: " + warning);
  }
  const Checkouts checkouts = build(session, run, progress);
  Selftest selftest = begin_selftest(run.plan, policy);
  measure_arms(session, run.plan, checkouts, policy, progress, selftest);
  selftest.state = gate_state(selftest.rows);
  const bool written = write(selftest, options);
  if (interruption() != 0) {
    return 128 + interruption();
  }
  const int code = exit_code(selftest.state);
  return written || code == kRegression ? code : static_cast<int>(kNotMeasured);
}

}  // namespace perf
