#include <algorithm>
#include <utility>

#include "analyzer/collect/collection.h"
#include "ci/cli/history/history.h"

namespace perf {
namespace {

using ProgramIds = std::vector<std::vector<std::string>>;  // by commit and workload

/// Whether the store has the programs of all workloads that are wanted.
bool is_known(const CollectWork& work, const CollectVisit& visit) {
  for (std::size_t i = 0; i < visit.wanted.size(); ++i) {
    if (visit.wanted[i] > 0 &&
        (work.programs_before.empty() || work.programs_before[visit.commit][i].empty())) {
      return false;
    }
  }
  return true;
}

bool is_left(const CollectWork& work, const CollectVisit& visit) {
  return work.collection.commits[visit.commit].status == CollectedStatus::left;
}

/// Traces a commit, and keeps its run for later if it builds.
void trace_commit(CollectWork& work, std::size_t number, ProgramIds& ids, ProgressView& progress,
                  ProgressView& processes) {
  std::optional<CollectRun> chosen = run_of(work, number, processes);
  if (!chosen) {
    return;
  }
  const CollectVisit& visit = work.visits[number];
  visit_commit(work, *chosen, visit.commit, false, progress);
  if (!chosen->begun || !is_left(work, visit)) {
    return;
  }
  for (std::size_t i = 0; i < chosen->places.size(); ++i) {
    const auto& record = chosen->run.planned.plan.workloads[i].trace_record;
    ids[visit.commit][chosen->places[i]] = record ? record->head_program : std::string();
  }
  work.begun.emplace(number, std::move(*chosen));
}

/// Takes workloads from the visits whose program is measured at another commit.
void leave_out(CollectWork& work, const ProgramIds& programs) {
  for (std::size_t workload = 0; workload < work.end.plan.workloads.size(); ++workload) {
    std::vector<std::string> ids;
    std::vector<bool> measured(work.line.size(), true);
    for (const std::vector<std::string>& commit : programs) {
      ids.push_back(commit[workload]);
    }
    for (const CollectVisit& visit : work.visits) {
      measured[visit.commit] = visit.wanted[workload] == 0;
    }
    const std::vector<bool> chosen = commits_to_measure(ids, measured);
    for (CollectVisit& visit : work.visits) {
      visit.wanted[workload] *= chosen[visit.commit] ? 1 : 0;
    }
  }
}

}  // namespace

void trace_line(CollectWork& work, ProgressView& progress, ProgressView& processes) {
  ProgramIds ids = work.programs_before;
  ids.resize(work.line.size(), std::vector<std::string>(work.end.plan.workloads.size()));
  for (std::size_t i = 0; i < work.visits.size(); ++i) {
    if (work.stopped()) {
      return;
    }
    if (!is_known(work, work.visits[i])) {
      work.tell_commit(i, progress, "tracing commit ");
      trace_commit(work, i, ids, progress, processes);
    }
  }
  leave_out(work, ids);
  for (std::size_t i = 0; i < work.visits.size(); ++i) {
    const CollectVisit& visit = work.visits[i];
    if (is_left(work, visit) && std::ranges::count(visit.wanted, 0) == std::ssize(visit.wanted)) {
      if (const auto begun = work.begun.find(i); begun != work.begun.end()) {
        store_report(begun->second.run, report_of(begun->second.run));
      }
      work.collection.commits[visit.commit].status = CollectedStatus::same;
    }
  }
}

}  // namespace perf
