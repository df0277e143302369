#include "ci/cli/trend_confirm.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/next.h"
#include "analyzer/trend/confirmations.h"
#include "ci/cli/clock.h"
#include "ci/cli/interruption.h"
#include "ci/cli/reproduce.h"
#include "ci/cli/session.h"
#include "collector/process/workload_runner.h"
#include "schema/error.h"
#include "schema/short_oid.h"

namespace perf {
namespace {

std::string name_of(const Confirmation& asked) {
  return asked.previous_oid.substr(0, kShortOid) + " " + asked.oid.substr(0, kShortOid);
}

/// The comparison's options: those of the command, on these commits, workloads and metrics, at a
/// threshold that what was found lies beyond.
Options options_of(const Confirmation& asked, const Options& options) {
  Options wanted = options;
  wanted.base = asked.previous_oid;
  wanted.head = asked.oid;
  wanted.workloads = asked.workloads;
  wanted.metrics = asked.metrics;
  wanted.threshold = asked.threshold;
  return wanted;
}

Report report_of(const PlannedRun& run, const History& history, const Policy& policy,
                 const Options& options) {
  Report report = analyze(run.plan, history, policy, {});
  report.generated_at = utc_now();
  report.tool_version = PERF_COMPARE_VERSION;
  report.config_source = run.config_source;
  report.reproduce = reproduce_commands(run.plan, options);
  return report;
}

bool is_asked(const Confirmation& asked, const std::string& workload) {
  return std::binary_search(asked.workloads.begin(), asked.workloads.end(), workload);
}

/// The comparison's plan, of those workloads that were asked for and that the config has.
PlannedRun plan_of(const Session& session, const Confirmation& asked) {
  PlanOptions wanted = plan_options(session);
  wanted.base = asked.previous_oid;
  wanted.head = asked.oid;
  wanted.workload_globs.clear();
  PlannedRun run = make_plan(session.repository, wanted);
  std::erase_if(run.plan.workloads, [&](const PlannedWorkload& planned) {
    return !is_asked(asked, planned.workload.name);
  });
  std::erase_if(run.plan.missing, [&](const std::string& name) { return !is_asked(asked, name); });
  return run;
}

void warn(TrendReport& report, const std::string& text) {
  report.warnings.push_back({"not_compared", text});
}

/// What was asked for and is planned; what is not is a warning of the report. One that was
/// imported, or that the config no longer has, cannot be run here.
Confirmation planned_of(const Confirmation& asked, const PlannedRun& run, TrendReport& report) {
  Confirmation left = asked;
  std::erase_if(left.workloads, [&](const std::string& name) {
    const bool is_planned =
        std::any_of(run.plan.workloads.begin(), run.plan.workloads.end(),
                    [&](const PlannedWorkload& planned) { return planned.workload.name == name; });
    if (!is_planned) {
      warn(report, fmt::format("could not compare {} at {}: no workload of size {} in the config",
                               name, name_of(asked), run.plan.size));
    }
    return !is_planned;
  });
  return left;
}

/// One comparison of at most `budget` s, stored as it is measured.
Report compare(Session& session, const Confirmation& asked, PlannedRun run, double budget,
               ProgressView& progress) {
  const Options options = options_of(asked, session.options);
  Policy policy = apply(run.config.policy, options);
  policy.budget = budget;
  const std::string started_at = utc_now();
  const Checkouts checkouts = build(session, run, progress);
  // Not before: what could not be built belongs to the plan that is stored.
  session.store.begin_run(run.plan, policy, PERF_COMPARE_VERSION, started_at);
  WorkloadRunner runner(session.run_process);
  History history;
  measure(
      session, run.plan, checkouts, runner, progress,
      [&](const History& now) { return next(run.plan, now, policy); }, history);
  Report report = report_of(run, history, policy, options);
  session.store.finish_run(report, history.budget_spent);
  return report;
}

/// How many comparisons share what is left of the budget: what is new does not wait for what is
/// known already.
double sharers(const std::vector<Confirmation>& asked, std::size_t done) {
  const auto from = asked.begin() + static_cast<std::ptrdiff_t>(done);
  const auto news = std::count_if(from, asked.end(), [](const auto& one) { return one.is_news; });
  return static_cast<double>(news > 0 ? news : asked.end() - from);
}

}  // namespace

void confirm(const Options& options, Spawner& spawner, double budget, TrendReport& report) {
  const std::vector<Confirmation> asked = confirmations(report);
  if (asked.empty()) {
    return warn(report, "nothing to compare: no alert or suspect is left without a comparison");
  }
  Session session = open_session(options, spawner);
  ProgressView progress(stderr, ProgressView::style_of_stderr(options.quiet), budget);
  double left = budget;
  std::size_t done = 0;
  for (; done < asked.size() && left > 0 && interruption() == 0; ++done) {
    const double share = left / sharers(asked, done);
    progress.say(
        fmt::format("comparison {} of {}: {}", done + 1, asked.size(), name_of(asked[done])));
    try {
      PlannedRun run = plan_of(session, asked[done]);
      const Confirmation planned = planned_of(asked[done], run, report);
      if (planned.workloads.empty()) {
        continue;
      }
      const Report result = compare(session, planned, std::move(run), share, progress);
      left -= result.measured;
      apply_confirmation(report, planned, result);
    } catch (const Error& error) {
      warn(report,
           "could not compare " + name_of(asked[done]) + ": " + error.what + ": " + error.subject);
    }
  }
  if (done < asked.size()) {
    warn(report,
         fmt::format("{} of {} comparisons were not begun: {}", asked.size() - done, asked.size(),
                     interruption() != 0 ? "interrupted" : "the budget is spent"));
  }
}

}  // namespace perf
