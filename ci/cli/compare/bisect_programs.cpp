#include <utility>

#include "ci/cli/compare/bisect_work.h"
#include "ci/cli/compare/command_run.h"
#include "ci/cli/run/signals.h"
#include "collector/process/temporary_folder.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

bool can_trace(const BisectWork& work, const Run& run) {
  return work.context.options.measure == "changed" && run.checkouts.base.failure.empty() &&
         run.checkouts.head.failure.empty();
}

const TraceRecord* trace_record_of(const BisectVisit& visit) {
  const auto& record = visit.run.planned.plan.workloads.front().trace_record;
  return record ? &*record : nullptr;
}

/// Whether a measured visit runs a program. If its build is gone, or an earlier command traced it,
/// its id decides.
bool runs_program(const BisectVisit& visit, const TracedProgram& program,
                  const Workload& workload) {
  if (is_at_hand(visit.traced)) {
    return difference_between(visit.traced, program, workload).empty();
  }
  const TraceRecord* record = trace_record_of(visit);
  return record != nullptr && !program.id.empty() && record->head_program == program.id;
}

/// The commit that stands for one which does not run GOOD's program, preferably BAD. If two builds
/// with one id differ, the record loses its id, so that no later command trusts it.
std::optional<int> stands_for(const BisectWork& work, std::size_t commit,
                              const TracedProgram& program, const Workload& workload,
                              TraceRecord& record) {
  std::optional<int> found;
  for (const auto& [other, visit] : work.visits) {
    if (other == commit || visit.same_as || !visit.skipped().empty()) {
      continue;
    }
    const TraceRecord* known = trace_record_of(visit);
    if (runs_program(visit, program, workload)) {
      found = !found || other == work.bad() ? static_cast<int>(other) : *found;
    } else if (known != nullptr && known->head_program == program.id) {
      record.head_program.clear();
    }
  }
  return found;
}

/// Whether two commits run the same program; says in the plan where both run code that is of
/// neither.
TraceRecord traced_commits(const TracedProgram& base, const TracedProgram& head,
                           PlannedWorkload& planned) {
  planned.head_failed = common_code_between(base, head);
  return {base.id, head.id,
          planned.head_failed.empty() ? difference_between(base, head, planned.workload)
                                      : first_line(planned.head_failed)};
}

/// Whether two items run the same program, as `ab` finds out for two commands.
TraceRecord traced_items(const BisectWork& work, int before, int after, ProgressView* progress) {
  const TemporaryFolder folder;
  Run run{work.context, planned_between(work, before, after), work.policy, progress};
  trace_commands(run, side_at(work, before), side_at(work, after), folder.path());
  return run.planned.plan.workloads.front().trace_record.value_or(
      TraceRecord{{}, {}, "they could not be traced"});
}

}  // namespace

void trace_visit(BisectWork& work, std::size_t commit, BisectVisit& visit) {
  Run& run = visit.run;
  if (!can_trace(work, run) || visit.traced.tree != nullptr) {
    return;
  }
  PlannedWorkload& planned = run.planned.plan.workloads.front();
  const TracedProgram& good = work.good_traced;
  if (good.tree == nullptr) {
    work.good_traced = work.tracer.trace(run, planned.workload, Side::base);
  }
  TracedProgram program = work.tracer.trace(run, planned.workload, Side::head);
  if (is_interrupted()) {
    return;
  }
  TraceRecord record = traced_commits(good, program, planned);
  if (record.difference.empty()) {
    visit.same_as = -1;
  } else if (planned.head_failed.empty()) {
    if (record.head_program == record.base_program) {
      record.head_program.clear();
    }
    visit.same_as = stands_for(work, commit, program, planned.workload, record);
  }
  planned.trace_record = std::move(record);
  if (!visit.begun) {
    keep_trace(run, good);
    keep_trace(run, program);
  }
  visit.traced = std::move(program);
}

void trace_item(BisectWork& work, std::size_t commit, BisectVisit& visit) {
  std::optional<TraceRecord>& record = visit.run.planned.plan.workloads.front().trace_record;
  if (!can_trace(work, visit.run) || record) {
    return;
  }
  const int bad = static_cast<int>(work.bad()), item = static_cast<int>(commit);
  TraceRecord of_good = traced_items(work, -1, item, visit.run.progress);
  if (is_interrupted()) {
    return;
  }
  record = std::move(of_good);
  if (record->same()) {
    visit.same_as = -1;
  } else if (item != bad && !at_bad(work).differences.empty() &&
             traced_items(work, bad, item, visit.run.progress).same() && !is_interrupted()) {
    visit.same_as = bad;
  }
}

void recall_trace(const BisectWork& work, std::size_t commit, BisectVisit& visit) {
  // What an item names may have changed since: it is traced again.
  if (work.context.options.measure != "changed" || !work.items.empty()) {
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

void trace_neighbours(BisectWork& work, const BisectSearch& search, Run& run) {
  PlannedWorkload& planned = run.planned.plan.workloads.front();
  if (!can_trace(work, run)) {
    return;
  }
  if (!work.items.empty()) {
    planned.trace_record = traced_items(work, search.last_good, search.first_bad, run.progress);
  } else {
    const TracedProgram base = work.tracer.trace(run, planned.workload, Side::base),
                        head = work.tracer.trace(run, planned.workload, Side::head);
    planned.trace_record = traced_commits(base, head, planned);
  }
  // A trace does not acquit what the search saw differ.
  if (planned.trace_record->difference.empty()) {
    planned.trace_record->difference = TraceRecord::kPairsDiffer;
  }
}

}  // namespace perf
