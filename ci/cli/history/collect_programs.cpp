#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/collect/collection.h"
#include "ci/cli/history/collect_work.h"

namespace perf {
namespace {

/// What is known of the programs along the line, and the runs that were begun.
struct Programs {
  std::vector<std::vector<std::string>> ids{};  ///< by commit and workload; empty: not known
  std::map<std::size_t, CollectRun> runs{};     ///< by visit
};

/// Whether the store knows all that looking would say.
bool is_known(const CollectWork& work, const CollectVisit& visit) {
  if (work.programs_before.empty()) {
    return false;
  }
  const std::vector<std::string>& before = work.programs_before[visit.commit];
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (visit.wanted[i] > 0 && before[i].empty()) {
      return false;
    }
  }
  return true;
}

/// Builds a commit and looks at it. What cannot be built is done with that.
void see_commit(CollectWork& work, std::size_t number, Programs& programs, ProgressView& progress,
                ProgressView& processes) {
  const CollectVisit& visit = work.visits[number];
  CollectRun chosen = run_of(work, visit, processes);
  if (chosen.wanted.empty()) {
    work.collection.commits[visit.commit].status = CollectedStatus::skipped;
    return;
  }
  if (!begin_commit(work, chosen, progress)) {
    return;
  }
  if (!chosen.run.checkouts.head.failure.empty()) {
    measure_commit(work, chosen, visit.commit, progress);
    return;
  }
  for (std::size_t i = 0; i < chosen.places.size(); ++i) {
    const auto& record = chosen.run.planned.plan.workloads[i].trace_record;
    programs.ids[visit.commit][chosen.places[i]] = record ? record->head_program : std::string();
  }
  chosen.run.checkouts = {};  // for other runs
  programs.runs.emplace(number, std::move(chosen));
}

/// Takes from the visits what runs a program that is measured elsewhere.
void leave_out(CollectWork& work, const Programs& programs) {
  for (std::size_t workload = 0; workload < work.end.plan.workloads.size(); ++workload) {
    std::vector<std::string> ids;
    std::vector<bool> measured(work.line.size(), true);
    for (const std::vector<std::string>& commit : programs.ids) {
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

void collect_chosen(CollectWork& work, std::size_t number, Programs& programs,
                    ProgressView& progress, ProgressView& processes) {
  const CollectVisit& visit = work.visits[number];
  const auto begun = programs.runs.find(number);
  if (begun != programs.runs.end()) {
    CollectRun& chosen = begun->second;
    for (std::size_t i = 0; i < chosen.places.size(); ++i) {
      chosen.wanted[i] = std::min(chosen.wanted[i], visit.wanted[chosen.places[i]]);
    }
    return measure_commit(work, chosen, visit.commit, progress);
  }
  CollectRun chosen = run_of(work, visit, processes);
  if (begin_commit(work, chosen, progress)) {
    measure_commit(work, chosen, visit.commit, progress);
  }
}

}  // namespace

void collect_programs(CollectWork& work, ProgressView& progress, ProgressView& processes) {
  Programs programs{work.programs_before};
  programs.ids.resize(work.line.size(), std::vector<std::string>(work.end.plan.workloads.size()));

  // What every commit runs.
  for (std::size_t i = 0; i < work.visits.size(); ++i) {
    if (work.stopped()) {
      return;
    }
    if (!is_known(work, work.visits[i])) {
      work.tell_commit(i, progress, "tracing commit ");
      see_commit(work, i, programs, progress, processes);
    }
  }

  // What is not to be measured, then what is.
  leave_out(work, programs);
  const auto is_left = [&work](std::size_t i) {
    return work.collection.commits[work.visits[i].commit].status == CollectedStatus::left;
  };
  const auto is_wanted = [](int wanted) { return wanted > 0; };
  for (std::size_t i = 0; i < work.visits.size(); ++i) {
    if (is_left(i) && std::ranges::none_of(work.visits[i].wanted, is_wanted)) {
      const std::size_t commit = work.visits[i].commit;
      if (const auto begun = programs.runs.find(i); begun != programs.runs.end()) {
        store_report(begun->second.run, report_of(begun->second.run));
      }
      work.collection.commits[commit].status = CollectedStatus::same;
    }
  }
  for (std::size_t i = 0; i < work.visits.size() && !work.stopped(); ++i) {
    if (is_left(i)) {
      work.tell_commit(i, progress);
      collect_chosen(work, i, programs, progress, processes);
    }
  }
}

}  // namespace perf
