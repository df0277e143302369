#include <algorithm>
#include <string>
#include <utility>

#include "analyzer/samples/standing.h"
#include "ci/cli/history/history.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/plan_digest.h"
#include "reporter/text/sentences.h"

namespace perf {
namespace {

/// The wanted processes or pairs of a workload. If the anchor does not run it, processes without
/// the anchor count.
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

/// Writes the result of a commit into its record.
void record(const CollectRun& chosen, const Standing& standing, CollectedCommit& commit) {
  const Run& run = chosen.run;
  commit.run_id = run.planned.plan.run_id;
  commit.measured = run.measurements.measured;
  commit.failure = run.checkouts.head.failure.empty() ? "" : failure_line(run.checkouts.head);
  commit.workloads = collected_workloads(standing, chosen.wanted);
  commit.status = status_of(commit.workloads);
}

/// With the seed of the whole collection.
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

/// Records in the plan what each workload runs, and keeps the traced processes. Those that fail are
/// reported when they are measured.
void trace_workloads(CollectWork& work, Run& run) {
  if (!run.checkouts.head.failure.empty()) {
    return;
  }
  for (PlannedWorkload& planned : run.planned.plan.workloads) {
    const TracedProgram program = work.tracer.trace(run, planned.workload, Side::head);
    planned.trace_record = TraceRecord{{}, program.id, program.doubt};
    keep_trace(run, program);
  }
}

/// Stores the report of a run, and adds its commit to the record.
void keep_result(CollectWork& work, CollectRun& chosen, std::size_t commit,
                 ProgressView& progress) {
  Run& run = chosen.run;
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
    if ((warning.kind == WarningKind::benchmarks_skipped ||
         warning.kind == WarningKind::files_not_in_git) &&
        work.told.insert(reporter::sentence(warning)).second) {
      progress.say("  warning: " + reporter::sentence(warning));
    }
  }
}

}  // namespace

std::optional<CollectRun> run_of(CollectWork& work, std::size_t number, ProgressView& processes) {
  const CollectVisit& visit = work.visits[number];
  if (auto begun = work.begun.extract(number)) {
    CollectRun& chosen = begun.mapped();
    for (std::size_t i = 0; i < chosen.places.size(); ++i) {
      chosen.wanted[i] = std::min(chosen.wanted[i], visit.wanted[chosen.places[i]]);
    }
    return std::move(chosen);
  }
  PlannedRun planned =
      plan_between(*work.context.repository, work.end, work.anchor, work.line[visit.commit]);
  // Of all workloads of the commit, whichever of them are wanted here.
  planned.plan.digest = plan_digest(planned, work.policy, work.context.options);
  CollectRun chosen{{{work.context, std::move(planned), work.policy, &processes}}};
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
  if (workloads.empty()) {
    work.collection.commits[visit.commit].status = CollectedStatus::skipped;
    return std::nullopt;
  }
  plan.workloads = std::move(workloads);
  return chosen;
}

void visit_commit(CollectWork& work, CollectRun& chosen, std::size_t commit, bool measures,
                  ProgressView& progress) {
  Run& run = chosen.run;
  run.policy.budget = work.budget_left();
  if (chosen.begun) {
    run.planned.plan.warnings.clear();  // building adds them again
  }
  VisitSteps steps;
  steps.indent = "  ";
  steps.trace = [&] {
    if (!chosen.begun) {
      print_warnings(run.planned.plan, progress, steps.indent);
      trace_workloads(work, run);
    }
  };
  steps.wanted = [&](const Standing& standing) {
    return measures ? next_collection(standing, chosen.wanted) : std::nullopt;
  };
  if (visit(chosen, progress, steps) && (measures || failed(run.checkouts.head))) {
    keep_result(work, chosen, commit, progress);
  }
  if (!measures) {
    run.checkouts = {};  // for other runs
  }
}

}  // namespace perf
