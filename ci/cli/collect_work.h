#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/collect/collection.h"
#include "ci/cli/run.h"
#include "schema/collection.h"

namespace perf {

/// Processes (pairs, with --anchor) of every workload at a commit, unless --pairs says otherwise.
inline constexpr int kCollectedProcesses = 5;

/// A collection on its way: what is to be measured, and what came of it so far.
struct CollectWork {
  Session& session;
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
CollectWork begin_collect(Session& session, ProgressView& progress);

}  // namespace perf
