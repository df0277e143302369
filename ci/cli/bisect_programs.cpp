#include <utility>

#include "ci/cli/bisect_work.h"
#include "ci/cli/signals.h"
#include "collector/looking/trace.h"

namespace perf {
namespace {

/// Looks at the one workload of a run that is built, on one side. Every look of a bisection has its
/// seed.
SeenProgram see_side(BisectWork& work, const Run& run, Side side, ProgressView& progress) {
  const Plan& plan = run.planned.plan;
  const bool at_base = side == Side::base;
  LookTools tools{.run = run.session.run_process, .interrupted = is_interrupted};
  if (!work.no_trace) {
    work.no_trace = why_no_trace(run.session.run_process);
    if (!work.no_trace->empty() && plan.workloads.front().workload.inputs.empty()) {
      progress.say("programs are not looked at: " + *work.no_trace);
    }
  }
  tools.no_trace = work.no_trace;
  return see_program(plan.workloads.front().workload,
                     at_base ? run.checkouts.base : run.checkouts.head,
                     {at_base ? plan.base->oid : plan.head.oid, side, work.stored.seed,
                      work.policy.initial_steps, work.policy.warmup_steps},
                     tools);
}

bool may_look(const BisectWork& work, const Run& run) {
  return work.session.options.measure == "changed" && run.checkouts.base.failure.empty() &&
         run.checkouts.head.failure.empty();
}

void keep(Run& run, const SeenProgram& seen, Side side) {
  if (seen.looking) {
    Invocation looking = *seen.looking;
    looking.side = side;
    looking.start_order = static_cast<std::int64_t>(run.history.invocations.size());
    run.history.invocations.push_back(std::move(looking));
  }
}

const Looked* looked_at(const BisectVisit& visit) {
  const auto& looked = visit.run.planned.plan.workloads.front().looked;
  return looked ? &*looked : nullptr;
}

/// Whether a visit that stands for itself runs the program of `seen`. One whose build is gone, or
/// that was looked at in another session, is known by its id.
bool runs_what_was_seen(const BisectVisit& visit, const SeenProgram& seen,
                        const Workload& workload) {
  if (is_at_hand(visit.seen)) {
    return difference_between(visit.seen, seen, workload).empty();
  }
  const Looked* looked = looked_at(visit);
  return looked != nullptr && !seen.id.empty() && looked->head_program == seen.id;
}

/// The commit that stands for one which does not run GOOD's program: BAD before others. Where two
/// builds are in doubt together, the id is as well: it must not tell otherwise later.
std::optional<int> stands_for(const BisectWork& work, std::size_t commit, const SeenProgram& seen,
                              const Workload& workload, Looked& looked) {
  std::optional<int> found;
  for (const auto& [other, visit] : work.visits) {
    if (other == commit || visit.same_as || !visit.skipped().empty()) {
      continue;
    }
    const Looked* known = looked_at(visit);
    if (runs_what_was_seen(visit, seen, workload)) {
      found = !found || other == work.bad() ? static_cast<int>(other) : *found;
    } else if (known != nullptr && known->head_program == seen.id) {
      looked.head_program.clear();
    }
  }
  return found;
}

}  // namespace

void look_at_visit(BisectWork& work, std::size_t commit, BisectVisit& visit,
                   ProgressView& progress) {
  Run& run = visit.run;
  if (!may_look(work, run) || visit.seen.tree != nullptr) {
    return;
  }
  PlannedWorkload& planned = run.planned.plan.workloads.front();
  if (work.good_seen.tree == nullptr) {
    work.good_seen = see_side(work, run, Side::base, progress);
  }
  SeenProgram seen = see_side(work, run, Side::head, progress);
  if (is_interrupted()) {
    return;
  }
  Looked looked{work.good_seen.id, seen.id,
                difference_between(work.good_seen, seen, planned.workload)};
  if (looked.difference.empty()) {
    visit.same_as = -1;
  } else {
    if (looked.head_program == looked.base_program) {
      looked.head_program.clear();
    }
    visit.same_as = stands_for(work, commit, seen, planned.workload, looked);
  }
  planned.looked = std::move(looked);
  if (!visit.begun) {
    keep(run, work.good_seen, Side::base);
    keep(run, seen, Side::head);
  }
  visit.seen = std::move(seen);
}

void recall_look(const BisectWork& work, std::size_t commit, BisectVisit& visit) {
  if (work.session.options.measure != "changed") {
    return;
  }
  const std::string& run_id = visit.run.planned.plan.run_id;
  PlannedWorkload& planned = visit.run.planned.plan.workloads.front();
  planned.looked = work.session.store.load_plan(run_id).workloads.front().looked;
  if (!planned.looked) {
    return;
  }
  if (planned.looked->same()) {
    visit.same_as = -1;
    return;
  }
  for (const auto& [other, earlier] : work.visits) {
    const Looked* known = looked_at(earlier);
    if (other != commit && !earlier.same_as && known != nullptr && !known->head_program.empty() &&
        known->head_program == planned.looked->head_program) {
      visit.same_as =
          !visit.same_as || other == work.bad() ? static_cast<int>(other) : *visit.same_as;
    }
  }
}

bool look_at_neighbours(BisectWork& work, Run& run, ProgressView& progress) {
  PlannedWorkload& planned = run.planned.plan.workloads.front();
  if (!may_look(work, run)) {
    return false;
  }
  const SeenProgram base = see_side(work, run, Side::base, progress),
                    head = see_side(work, run, Side::head, progress);
  const std::string difference = difference_between(base, head, planned.workload);
  planned.looked = Looked{base.id, head.id, difference};
  if (difference.empty()) {
    keep(run, base, Side::base);
    keep(run, head, Side::head);
  }
  return difference.empty();
}

}  // namespace perf
