#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/collect/collection.h"
#include "ci/cli/run/visit.h"
#include "schema/collection.h"

namespace perf {

/// Processes (pairs, with --anchor) of every workload at a commit, unless --pairs says otherwise.
inline constexpr int kCollectedProcesses = 5;

/// A run of the workloads of which something is lacking at a commit.
struct CollectRun : Visit {
  std::vector<int> wanted{};          ///< by workload of the run
  std::vector<std::size_t> places{};  ///< of these in the whole list
};

/// A collection on its way: what is to be measured, and what came of it so far.
struct CollectWork {
  Context& context;
  PlannedRun end;  ///< at the last commit: the model of every run
  VisitTracer tracer;
  std::optional<Revision> anchor{};      ///< base of every run
  Policy policy{};                       ///< its budget is that of the whole command
  std::vector<Revision> line{};          ///< commits that were asked for, oldest first
  std::vector<CollectVisit> visits{};    ///< of them those to measure, in this order
  std::set<std::size_t> anchor_lacks{};  ///< workloads that the anchor was seen not to run
  std::set<std::string> told{};          ///< what was skipped: said once for all commits
  /// What the store has of these without the anchor, by commit and workload.
  std::vector<std::vector<CollectedBefore>> alone_before{};
  /// --programs --missing: what the store knows of the programs, by commit and workload.
  std::vector<std::vector<std::string>> programs_before{};
  std::map<std::size_t, CollectRun> begun{};  ///< by visit: traced, to be measured later
  Collection collection{};

  /// Prints "commit 3 of 41 (3f2a9c01d2e4 Compute more waves)".
  void tell_commit(std::size_t visit, ProgressView& progress, const char* what = "commit ") const;
  double budget_left() const;  ///< s
  bool stopped() const;        ///< by its budget or a signal
};

/// Reads what is asked, and what the store has of it. Throws UsageError for what is no revision or
/// range of commits, for --every of one revision, and for an anchor that is none.
CollectWork begin_collect(Context& context, ProgressView& progress);

/// The run of a visit, begun already or new; nothing if no workload of it is wanted any more, which
/// marks the commit as skipped. `processes` shows the progress of its measurement.
std::optional<CollectRun> run_of(CollectWork& work, std::size_t visit, ProgressView& processes);

/// Visits the commit of a run, and keeps the result. Without `measures`, it is built and traced,
/// and kept if it does not build.
void visit_commit(CollectWork& work, CollectRun& chosen, std::size_t commit, bool measures,
                  ProgressView& progress);

/// For --programs: traces all commits, and leaves of the visits what measures each program once.
void trace_line(CollectWork& work, ProgressView& progress, ProgressView& processes);

}  // namespace perf
