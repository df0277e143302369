#include "ci/cli/trend_confirm.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/trend/confirmations.h"
#include "analyzer/next.h"
#include "ci/cli/clock.h"
#include "ci/cli/interruption.h"
#include "ci/cli/reproduce.h"
#include "ci/cli/session.h"
#include "collector/process/workload_runner.h"
#include "schema/error.h"

namespace perf {
namespace {

constexpr std::size_t kShortOid = 12;

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

/// One comparison of at most `budget` s, stored as it is measured.
Report compare(Session& session, const Confirmation& asked, double budget, ProgressView& progress) {
  const Options options = options_of(asked, session.options);
  PlanOptions wanted = plan_options(session);
  wanted.base = options.base;
  wanted.head = options.head;
  wanted.workload_globs = options.workloads;
  PlannedRun run = make_plan(session.repository, wanted);
  Policy policy = apply(run.config.policy, options);
  policy.budget = budget;
  session.store.begin_run(run.plan, policy, PERF_COMPARE_VERSION);
  const Checkouts checkouts = build(session, run, progress);
  WorkloadRunner runner(session.run_process);
  History history;
  measure(
      session, run.plan, checkouts, runner, progress,
      [&](const History& now) { return next(run.plan, now, policy); }, history);
  Report report = report_of(run, history, policy, options);
  session.store.finish_run(report, history.budget_spent);
  return report;
}

void warn(TrendReport& report, const std::string& kind, const std::string& text) {
  report.warnings.push_back({kind, text});
}

}  // namespace

void confirm(const Options& options, Spawner& spawner, double budget, TrendReport& report) {
  const std::vector<Confirmation> asked = confirmations(report);
  if (asked.empty())
    return;
  Session session = open_session(options, spawner);
  ProgressView progress(stderr, ProgressView::style_of_stderr(options.quiet), budget);
  double left = budget;
  std::size_t done = 0;
  for (; done < asked.size() && left > 0 && interruption() == 0; ++done) {
    const double share = left / static_cast<double>(asked.size() - done);
    progress.say(
        fmt::format("comparison {} of {}: {}", done + 1, asked.size(), name_of(asked[done])));
    try {
      const Report result = compare(session, asked[done], share, progress);
      left -= result.measured;
      apply_confirmation(report, asked[done], result);
    } catch (const Error& error) {
      warn(report, "not_compared",
           "could not compare " + name_of(asked[done]) + ": " + error.what + ": " + error.subject);
    }
  }
  if (done < asked.size())
    warn(report, "not_compared",
         fmt::format("{} of {} comparisons were not begun: {}", asked.size() - done, asked.size(),
                     interruption() != 0 ? "interrupted" : "the budget is spent"));
}

}  // namespace perf
