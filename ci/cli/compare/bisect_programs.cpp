#include <utility>

#include "ci/cli/compare/bisect_work.h"
#include "ci/cli/run/signals.h"

namespace perf {
namespace {

/// Looks at the one workload of a run that is built, on one side. Every look of a bisection has its
/// seed.
TracedProgram see_side(BisectWork& work, const Run& run, Side side, ProgressView& progress) {
  const Plan& plan = run.planned.plan;
  const bool at_base = side == Side::base;
  TraceTools tools{.run = run.context.run_process, .interrupted = is_interrupted};
  if (!work.no_trace) {
    work.no_trace = why_no_trace(run.context.run_process);
    if (!work.no_trace->empty() && plan.workloads.front().workload.inputs.empty()) {
      progress.say("programs are not record at: " + *work.no_trace);
    }
  }
  tools.no_trace = work.no_trace;
  return trace_program(plan.workloads.front().workload,
                       at_base ? run.checkouts.base : run.checkouts.head,
                       {at_base ? plan.base->oid : plan.head.oid, side, work.stored.seed,
                        work.policy.initial_steps, work.policy.warmup_steps},
                       tools);
}

bool may_look(const BisectWork& work, const Run& run) {
  return work.context.options.measure == "changed" && run.checkouts.base.failure.empty() &&
         run.checkouts.head.failure.empty();
}

void keep(Run& run, const TracedProgram& seen, Side side) {
  if (seen.traced) {
    Invocation traced = *seen.traced;
    traced.side = side;
    traced.start_order = static_cast<std::int64_t>(run.measurements.invocations.size());
    run.measurements.invocations.push_back(std::move(traced));
  }
}

const TraceRecord* trace_record_of(const BisectVisit& visit) {
  const auto& record = visit.run.planned.plan.workloads.front().trace_record;
  return record ? &*record : nullptr;
}

/// Whether a visit that stands for itself runs the program of `seen`. One whose build is gone, or
/// that was record at in another session, is known by its id.
bool runs_what_was_seen(const BisectVisit& visit, const TracedProgram& seen,
                        const Workload& workload) {
  if (is_at_hand(visit.seen)) {
    return difference_between(visit.seen, seen, workload).empty();
  }
  const TraceRecord* record = trace_record_of(visit);
  return record != nullptr && !seen.id.empty() && record->head_program == seen.id;
}

/// The commit that stands for one which does not run GOOD's program: BAD before others. Where two
/// builds are in doubt together, the id is as well: it must not tell otherwise later.
std::optional<int> stands_for(const BisectWork& work, std::size_t commit, const TracedProgram& seen,
                              const Workload& workload, TraceRecord& record) {
  std::optional<int> found;
  for (const auto& [other, visit] : work.visits) {
    if (other == commit || visit.same_as || !visit.skipped().empty()) {
      continue;
    }
    const TraceRecord* known = trace_record_of(visit);
    if (runs_what_was_seen(visit, seen, workload)) {
      found = !found || other == work.bad() ? static_cast<int>(other) : *found;
    } else if (known != nullptr && known->head_program == seen.id) {
      record.head_program.clear();
    }
  }
  return found;
}

}  // namespace

void trace_visit(BisectWork& work, std::size_t commit, BisectVisit& visit, ProgressView& progress) {
  Run& run = visit.run;
  if (!may_look(work, run) || visit.seen.tree != nullptr) {
    return;
  }
  PlannedWorkload& planned = run.planned.plan.workloads.front();
  if (work.good_seen.tree == nullptr) {
    work.good_seen = see_side(work, run, Side::base, progress);
  }
  TracedProgram seen = see_side(work, run, Side::head, progress);
  if (is_interrupted()) {
    return;
  }
  TraceRecord record{work.good_seen.id, seen.id,
                     difference_between(work.good_seen, seen, planned.workload)};
  if (record.difference.empty()) {
    visit.same_as = -1;
  } else {
    if (record.head_program == record.base_program) {
      record.head_program.clear();
    }
    visit.same_as = stands_for(work, commit, seen, planned.workload, record);
  }
  planned.trace_record = std::move(record);
  if (!visit.begun) {
    keep(run, work.good_seen, Side::base);
    keep(run, seen, Side::head);
  }
  visit.seen = std::move(seen);
}

void recall_look(const BisectWork& work, std::size_t commit, BisectVisit& visit) {
  if (work.context.options.measure != "changed") {
    return;
  }
  const std::string& run_id = visit.run.planned.plan.run_id;
  PlannedWorkload& planned = visit.run.planned.plan.workloads.front();
  planned.trace_record = work.context.store.load_plan(run_id).workloads.front().trace_record;
  if (!planned.trace_record) {
    return;
  }
  if (planned.trace_record->same()) {
    visit.same_as = -1;
    return;
  }
  for (const auto& [other, earlier] : work.visits) {
    const TraceRecord* known = trace_record_of(earlier);
    if (other != commit && !earlier.same_as && known != nullptr && !known->head_program.empty() &&
        known->head_program == planned.trace_record->head_program) {
      visit.same_as =
          !visit.same_as || other == work.bad() ? static_cast<int>(other) : *visit.same_as;
    }
  }
}

bool trace_neighbours(BisectWork& work, Run& run, ProgressView& progress) {
  PlannedWorkload& planned = run.planned.plan.workloads.front();
  if (!may_look(work, run)) {
    return false;
  }
  const TracedProgram base = see_side(work, run, Side::base, progress),
                      head = see_side(work, run, Side::head, progress);
  const std::string difference = difference_between(base, head, planned.workload);
  planned.trace_record = TraceRecord{base.id, head.id, difference};
  if (difference.empty()) {
    keep(run, base, Side::base);
    keep(run, head, Side::head);
  }
  return difference.empty();
}

}  // namespace perf
