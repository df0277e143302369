#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/trend/confirmations.h"
#include "ci/cli/reproduce.h"
#include "ci/cli/run.h"
#include "ci/cli/signals.h"
#include "ci/cli/trend_parts.h"
#include "schema/error.h"
#include "schema/revision.h"
#include "schema/text_parts.h"

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

bool is_asked(const Confirmation& asked, const std::string& workload) {
  return std::ranges::binary_search(asked.workloads, workload);
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

/// What was asked for and is planned; what is not is a warning of the report. One that was
/// imported, or that the config no longer has, cannot be run here.
Confirmation planned_of(const Confirmation& asked, const PlannedRun& run, TrendReport& report) {
  Confirmation left = asked;
  std::erase_if(left.workloads, [&](const std::string& name) {
    const bool is_planned = std::ranges::any_of(
        run.plan.workloads,
        [&](const PlannedWorkload& planned) { return planned.workload.name == name; });
    if (!is_planned) {
      report.warnings.push_back(
          {WarningKind::not_in_config,
           {},
           {{"workload", name}, {"commits", name_of(asked)}, {"size", run.plan.size}}});
    }
    return !is_planned;
  });
  return left;
}

/// One comparison of at most `budget` s, stored as it is measured.
Report compare(Session& session, const Confirmation& asked, PlannedRun planned, double budget,
               ProgressView& progress) {
  const Options options = options_of(asked, session.options);
  const Policy policy = apply(planned.config.policy, options);
  Run run{session, std::move(planned), policy, &progress};
  run.policy.budget = budget;
  build(run);
  Report report = carry_out(run);
  report.reproduce = reproduce_commands(run.planned.plan, options);
  store_report(run, report);
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
    const std::string only_kept = perf::joined(unsettled_for_good(report), ", ");
    report.warnings.push_back({WarningKind::nothing_to_confirm,
                               {},
                               only_kept.empty()
                                   ? std::map<std::string, std::string>{}
                                   : std::map<std::string, std::string>{{"only_kept", only_kept}}});
    return;
  }
  Session session = open_session(options, spawner);
  ProgressView progress(options, budget);
  double left = budget;
  std::size_t done = 0;
  for (; done < asked.size() && left > 0 && !is_interrupted(); ++done) {
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
      report.warnings.push_back(
          {WarningKind::not_confirmed,
           {},
           {{"commits", name_of(asked[done])}, {"why", error.what + ": " + error.subject}}});
    }
  }
  if (done < asked.size()) {
    report.warnings.push_back({is_interrupted() ? WarningKind::confirmations_interrupted
                                                : WarningKind::confirmations_left,
                               {{"left", asked.size() - done}, {"all", asked.size()}}});
  }
}

}  // namespace perf
