#include "schema/report.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/collect/collection.h"
#include "analyzer/samples/measured_workloads.h"
#include "ci/cli/commands.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/report_of_run.h"
#include "ci/cli/run/store_and_config.h"
#include "ci/cli/store/stored_ids.h"
#include "reporter/escape/terminal.h"
#include "schema/collection.h"
#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/revision.h"
#include "schema/store/store.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

std::string short_id(const ListedRun& run) {
  return run.id.substr(0, kShortOid);
}

/// Without an ID, the chosen run is named on standard error.
ListedRun chosen_run(const Store& store, const Options& options) {
  if (!options.run.empty()) {
    return store.listed_run(require_run(store, options.run));
  }
  const std::optional<std::string> latest = store.latest_comparison();
  if (!latest) {
    throw UsageError("no finished comparison in the store", "",
                     "choose a run of perf-compare list: perf-compare report ID");
  }
  ListedRun run = store.listed_run(*latest);
  if (!options.quiet) {
    std::fprintf(stderr, "report: the latest comparison, %s of %s\n",
                 reporter::terminal_text(short_id(run)).c_str(),
                 reporter::terminal_text(run.started_at).c_str());
  }
  return run;
}

/// Refuses runs that do not compare two revisions.
void require_comparison(const ListedRun& run) {
  const std::string show = "show its processes: perf-compare show " + short_id(run);
  if (run.kind == RunKind::calibrate) {
    throw UsageError("the run is a calibration", run.id,
                     "show the latest calibration: perf-compare calibrate --show\n" + show);
  }
  if (run.kind == RunKind::selftest) {
    throw UsageError("the run is part of a self-test", run.id, show);
  }
  if (run.kind == RunKind::imported) {
    throw UsageError("the run was imported, without a comparison", run.id,
                     "show its history: perf-compare trend\n" + show);
  }
  if (run.kind == RunKind::ratchet) {
    throw UsageError("the run is an attempt of a ratchet, without a report", run.id,
                     "show all attempts: perf-compare ratchet NAME --log\n" + show);
  }
  if (run.kind == RunKind::bisect && !run.verdict) {
    throw UsageError("the run is a step of a bisection, without a report", run.id,
                     "repeat the perf-compare bisect command to show the bisection\n" + show);
  }
}

/// A collection has no test cases, no families of metrics and no pictures.
void refuse_formats_of_comparisons(const Options& options) {
  for (const auto& [option, file] : {std::pair{"--junit", &options.junit},
                                     {"--openmetrics", &options.openmetrics},
                                     {"--plots", &options.plots}}) {
    if (!file->empty()) {
      throw UsageError("no such format for a run of collect", option,
                       "perf-compare trend writes it for a whole history");
    }
  }
}

/// Why the commit did not build.
std::string common_failure(const Plan& plan) {
  std::string common = plan.workloads.empty() ? "" : plan.workloads.front().head_failed;
  for (const PlannedWorkload& planned : plan.workloads) {
    common = planned.head_failed == common ? common : "";
  }
  return on_one_line(common);
}

/// Whether each workload of a collected commit was to be measured: not if the run ended by itself
/// and the workload was only traced.
std::vector<int> wanted_of(const ReportOfRun& run) {
  std::vector<int> wanted(run.plan.workloads.size(), 1);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const PlannedWorkload& planned = run.plan.workloads[i];
    const auto is_timed = [&](const Invocation& one) {
      return !one.traced && one.workload == planned.workload.name;
    };
    if (planned.trace_record && planned.head_failed.empty() && !run.report.interrupted &&
        !run.measurements.budget_spent &&
        std::ranges::none_of(run.measurements.invocations, is_timed)) {
      wanted[i] = 0;
    }
  }
  return wanted;
}

/// The report of `collect` about one commit, made again from its run. The wanted number of
/// processes is not stored: the measured ones count as enough.
Collection collection_of(const ReportOfRun& run) {
  const Report& report = run.report;
  std::vector<CollectedWorkload> workloads =
      collected_workloads(standing_of(run.plan, run.measurements, report.policy), wanted_of(run));
  const CollectedStatus status = workloads.empty() ? CollectedStatus::same : status_of(workloads);
  Collection collection;
  collection.asked = run.plan.head.name.empty() ? run.plan.head.oid : run.plan.head.name;
  collection.generated_at = report.generated_at;
  collection.tool_version = report.tool_version;
  collection.anchor = run.plan.base;
  collection.fingerprint = run.plan.environment.fingerprint;
  collection.size = run.plan.size;
  for (const CollectedWorkload& workload : workloads) {
    collection.wanted =
        std::max(collection.wanted, collection.anchor ? workload.pairs : workload.invocations);
  }
  collection.measured = report.measured;
  collection.interrupted = report.interrupted;
  collection.budget_spent = run.measurements.budget_spent;
  collection.commits.push_back({run.plan.head, status, run.plan.run_id, report.measured,
                                common_failure(run.plan), std::move(workloads)});
  return collection;
}

}  // namespace

int report_command(const Options& options, Spawner& spawner) {
  if (!options.join.empty()) {
    return join_command(options);
  }
  const Store store(store_to_look_into(options, spawner));
  const ListedRun chosen = chosen_run(store, options);
  require_comparison(chosen);
  if (chosen.kind == RunKind::collect) {
    refuse_formats_of_comparisons(options);
    return end_command(collection_of(report_of_run(store, chosen.id)), options);
  }
  const ReportOfRun run = report_of_run(store, chosen.id);
  return end_command(
      run.report, [&run] { return measured_workloads(run.plan, run.measurements); }, options);
}

}  // namespace perf
