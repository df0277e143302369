#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/collect/collection.h"
#include "ci/cli/run/run.h"
#include "schema/collection.h"

namespace perf {

/// Processes (pairs, with --anchor) of every workload at a commit, unless --pairs says otherwise.
inline constexpr int kCollectedProcesses = 5;

/// A collection on its way: what is to be measured, and what came of it so far.
struct CollectWork {
  Context& context;
  PlannedRun end;                        ///< at the last commit: what every run is made after
  std::optional<Revision> anchor;        ///< base of every run
  Policy policy;                         ///< its budget is that of the whole command
  std::vector<Revision> line{};          ///< commits that were asked for, oldest first
  std::vector<CollectVisit> visits{};    ///< of them those to measure, in this order
  std::set<std::size_t> anchor_lacks{};  ///< workloads that the anchor was seen not to run
  std::set<std::string> told{};          ///< what was skipped: said once for all commits
  /// What the store has of these without the anchor, by commit and workload.
  std::vector<std::vector<CollectedBefore>> alone_before{};
  std::string no_trace{};  ///< why no program can be looked at; empty where it can
  /// --programs --missing: what the store knows of the programs, by commit and workload.
  std::vector<std::vector<std::string>> programs_before{};
  Collection collection{};

  /// Says the line of a visit: "commit 3 of 41 (3f2a9c01d2e4 Compute more waves)".
  void tell_commit(std::size_t visit, ProgressView& progress, const char* what = "commit ") const;
  double budget_left() const;  ///< s
  bool stopped() const;        ///< by its budget or a signal
};

/// Reads what is asked, and what the store has of it. Throws UsageError for what is no revision or
/// range of commits, for --every of one revision, and for an anchor that is none.
CollectWork begin_collect(Context& context, ProgressView& progress);

/// A run of the workloads of which something is lacking at a commit.
struct CollectRun {
  Run run;
  std::vector<int> wanted{};          ///< by workload of the run
  std::vector<std::size_t> places{};  ///< of these in the whole list
};

/// The run of a visit, not built yet. `processes` hears of each of them.
CollectRun run_of(const CollectWork& work, const CollectVisit& visit, ProgressView& processes);

/// Builds the commit, looks at what its workloads run, and makes it a run of the store; false where
/// a signal came first.
bool begin_commit(CollectWork& work, CollectRun& chosen, ProgressView& progress);

/// Measures what is wanted of a run that was begun (nothing, perhaps), and stores it with its
/// report. Builds anew what is no longer at hand.
void measure_commit(CollectWork& work, CollectRun& chosen, std::size_t commit,
                    ProgressView& progress);

/// The visits of `collect --programs`: all commits are built and looked at, and begun; then those
/// are measured that it takes for every program to be.
void collect_programs(CollectWork& work, ProgressView& progress, ProgressView& processes);

}  // namespace perf
