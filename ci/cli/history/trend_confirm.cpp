#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/trend/confirmations.h"
#include "ci/cli/history/history.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/run.h"
#include "ci/cli/run/signals.h"
#include "schema/error.h"
#include "schema/revision.h"
#include "schema/text/text_parts.h"
#include "schema/text/units.h"

namespace perf {
namespace {

std::string name_of(const Confirmation& asked) {
  return asked.previous_oid.substr(0, kShortOid) + " " + asked.oid.substr(0, kShortOid);
}

/// The comparison's options: those of the command, for these commits, workloads and metrics, with a
/// threshold below the change.
Options options_of(const Confirmation& asked, const Options& options) {
  Options wanted = options;
  wanted.base = asked.previous_oid;
  wanted.head = asked.oid;
  wanted.workloads = asked.workloads;
  wanted.metrics = asked.metrics;
  wanted.threshold = asked.threshold;
  wanted.confirm = false;  // options of trend alone
  wanted.since.clear();
  return wanted;
}

bool is_asked(const Confirmation& asked, const std::string& workload) {
  return std::ranges::binary_search(asked.workloads, workload);
}

/// The comparison's plan, of the requested workloads that the config has.
PlannedRun plan_of(const Context& context, const Confirmation& asked) {
  PlanOptions wanted = plan_options(context);
  wanted.base = asked.previous_oid;
  wanted.head = asked.oid;
  wanted.workload_globs.clear();
  PlannedRun run = make_plan(*context.repository, wanted);
  std::erase_if(run.plan.workloads, [&](const PlannedWorkload& planned) {
    return !is_asked(asked, planned.workload.name);
  });
  std::erase_if(run.plan.missing, [&](const std::string& name) { return !is_asked(asked, name); });
  return run;
}

/// The planned part of the request; warns in the report of the rest: imported workloads, and those
/// that the config no longer has.
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
Report compare(Context& context, const Confirmation& asked, PlannedRun planned, double budget,
               ProgressView& progress) {
  const Options options = options_of(asked, context.options);
  const Policy policy = apply(planned.config.policy, options);
  Run run{context, std::move(planned), policy, &progress};
  run.policy.budget = budget;
  build(run);
  Report report = carry_out(run);
  report.reproduce = reproduce_commands(run.planned.plan, options);
  store_report(run, report);
  return report;
}

/// The comparisons that are left, and the budget that they would need at the pace of the others,
/// which took `took` s.
Warning left_over(std::size_t left, std::size_t all, double took) {
  Warning warning{WarningKind::confirmations_left, {{"left", left}, {"all", all}}};
  if (left < all && took > 0) {
    const double each = std::ceil(took / static_cast<double>(all - left));
    warning.about = {{"each", duration_text(each)},
                     {"budget", duration_text(each * static_cast<double>(left))}};
  }
  return warning;
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
  Options measuring = options;
  measuring.measure = "all";  // only pairs refute an alert: a trace may miss an input
  Context context = open_context(measuring, spawner);
  ProgressView progress(options, budget);
  double left = budget, took = 0;
  std::size_t begun = 0, cut = 0;
  for (; begun < asked.size() && left > 0 && !is_interrupted(); ++begun) {
    const Confirmation& one = asked[begun];
    progress.say(fmt::format("comparison {} of {}: {}", begun + 1, asked.size(), name_of(one)));
    try {
      PlannedRun run = plan_of(context, one);
      const Confirmation planned = planned_of(one, run, report);
      if (planned.workloads.empty()) {
        continue;
      }
      // The likeliest gets the whole rest: its rule ends it early.
      const Report result = compare(context, planned, std::move(run), left, progress);
      left -= result.measured;
      took += result.measured;
      cut += result.budget_spent ? 1 : 0;
      apply_confirmation(report, planned, result);
    } catch (const Error& error) {
      report.warnings.push_back(
          {WarningKind::not_confirmed,
           {},
           {{"commits", name_of(one)}, {"why", error.what + ": " + error.subject}}});
    }
  }
  const std::size_t undone = asked.size() - begun + cut;
  if (is_interrupted() && begun < asked.size()) {
    report.warnings.push_back({WarningKind::confirmations_interrupted,
                               {{"left", asked.size() - begun}, {"all", asked.size()}}});
  } else if (undone > 0) {
    report.warnings.push_back(left_over(undone, asked.size(), took));
  }
}

}  // namespace perf
