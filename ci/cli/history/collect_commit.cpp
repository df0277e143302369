#include <algorithm>
#include <string>
#include <utility>

#include "analyzer/samples/standing.h"
#include "ci/cli/history/collect_work.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/plan_digest.h"
#include "ci/cli/run/signals.h"
#include "collector/trace/trace_programs.h"
#include "reporter/text/sentences.h"

namespace perf {
namespace {

/// Of all looks of all collections: what a workload reads may follow from its seed, and programs
/// are compared over the nights.
constexpr std::uint64_t kLookSeed = 0;

/// What is wanted of one workload. Where the anchor was seen not to run it, what was measured
/// without the anchor counts.
int wanted_of(const CollectWork& work, const CollectVisit& visit, std::size_t workload) {
  if (work.anchor_lacks.count(workload) == 0) {
    return visit.wanted[workload];
  }
  const int alone = work.alone_before[visit.commit][workload].good;
  return std::min(visit.wanted[workload], std::max(work.collection.wanted - alone, 0));
}

/// Remembers which workloads the anchor turned out not to run.
void learn_of_anchor(CollectWork& work, const CollectRun& chosen, const Standing& standing) {
  if (!work.anchor) {
    return;
  }
  for (const WorkloadStanding& workload : standing.workloads) {
    if (workload.samples.fate == Fate::alone) {
      work.anchor_lacks.insert(chosen.places[workload.index]);
    }
  }
}

/// What was measured of a commit, for the reader.
void record(const CollectRun& chosen, const Standing& standing, CollectedCommit& commit) {
  const Run& run = chosen.run;
  commit.run_id = run.planned.plan.run_id;
  commit.measured = run.measurements.measured;
  commit.failure = run.checkouts.head.failure.empty() ? "" : failure_line(run.checkouts.head);
  commit.workloads = collected_workloads(standing, chosen.wanted);
  commit.status = status_of(commit.workloads);
}

/// As the whole was asked for: with its seed.
std::string reproduce_commit(const CollectWork& work, Plan plan) {
  const Options& options = work.context.options;
  plan.seed = work.end.plan.seed;
  return reproduce_command("collect " + plan.head.oid, plan, options);
}

void tell(const CollectedCommit& commit, ProgressView& progress) {
  if (!commit.failure.empty()) {
    return progress.say("  cannot be measured: " + commit.failure);
  }
  for (const CollectedWorkload& workload : commit.workloads) {
    if (!workload.failure.empty()) {
      progress.say("  " + workload.workload + ": " + workload.failure);
    }
  }
}

/// Says in the plan what each workload runs, and keeps the processes that told. Those that fail say
/// so when they are measured.
void trace_commit(const CollectWork& work, Run& run) {
  Plan& plan = run.planned.plan;
  if (!run.checkouts.head.failure.empty()) {
    return;
  }
  TraceTools tools{.run = run.context.run_process, .interrupted = is_interrupted};
  tools.no_trace = work.no_trace;
  for (PlannedWorkload& planned : plan.workloads) {
    TracedProgram seen = trace_program(
        planned.workload, run.checkouts.head,
        {plan.head.oid, Side::head, kLookSeed, run.policy.initial_steps, run.policy.warmup_steps},
        tools);
    planned.trace_record = TraceRecord{{}, std::move(seen.id), std::move(seen.doubt)};
    if (seen.traced) {
      seen.traced->paired = false;
      seen.traced->start_order = static_cast<std::int64_t>(run.measurements.invocations.size());
      run.measurements.invocations.push_back(std::move(*seen.traced));
    }
  }
}

}  // namespace

CollectRun run_of(const CollectWork& work, const CollectVisit& visit, ProgressView& processes) {
  PlannedRun planned =
      plan_between(work.context.repository, work.end, work.anchor, work.line[visit.commit]);
  // Of the commit, whatever of it is wanted here.
  planned.plan.digest = plan_digest(planned, work.policy, work.context.options);
  CollectRun chosen{{work.context, std::move(planned), work.policy, &processes}};
  chosen.run.policy.budget = work.budget_left();
  Plan& plan = chosen.run.planned.plan;
  plan.purpose = Purpose::collect;
  std::vector<PlannedWorkload> workloads;
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    const int wanted = wanted_of(work, visit, i);
    if (wanted == 0) {
      continue;
    }
    workloads.push_back(plan.workloads[i]);
    chosen.wanted.push_back(wanted);
    chosen.places.push_back(i);
  }
  plan.workloads = std::move(workloads);
  return chosen;
}

bool begin_commit(CollectWork& work, CollectRun& chosen, ProgressView& progress) {
  Run& run = chosen.run;
  build_quietly(run, progress, "  ");
  print_warnings(run.planned.plan, progress, "  ");
  if (is_interrupted()) {
    return false;
  }
  trace_commit(work, run);
  if (is_interrupted()) {
    return false;
  }
  begin(run);
  return true;
}

void measure_commit(CollectWork& work, CollectRun& chosen, std::size_t commit,
                    ProgressView& progress) {
  Run& run = chosen.run;
  run.policy.budget = work.budget_left();
  if (run.checkouts.head.directory.empty() && run.checkouts.head.failure.empty()) {
    run.planned.plan.warnings.clear();  // they are said again
    build_quietly(run, progress, "  ");
  }
  measure(run, [&](const Standing& standing) { return next_collection(standing, chosen.wanted); });
  Report report = report_of(run);
  report.reproduce = {reproduce_commit(work, run.planned.plan)};
  store_report(run, report);
  work.collection.measured += run.measurements.measured;
  work.collection.budget_spent = work.collection.budget_spent || run.measurements.budget_spent;
  const Standing standing = standing_of(run.planned.plan, run.measurements, run.policy);
  learn_of_anchor(work, chosen, standing);
  CollectedCommit& collected = work.collection.commits[commit];
  record(chosen, standing, collected);
  tell(collected, progress);
  for (const Warning& warning : report.warnings) {
    if (warning.kind == WarningKind::benchmarks_skipped &&
        work.told.insert(reporter::sentence(warning)).second) {
      progress.say("  warning: " + reporter::sentence(warning));
    }
  }
}

}  // namespace perf
