#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/collection.h"
#include "schema/demand.h"

namespace perf {

/// What there is of one workload at one commit.
struct CollectedBefore {
  int good = 0;      ///< processes, or pairs
  int failures = 0;  ///< that came to nothing
};

/// A commit to measure, and how much of each workload.
struct CollectVisit {
  std::size_t commit = 0;   ///< position on the line, 0 = the oldest
  std::vector<int> wanted;  ///< by workload
};

/// The commits of a line at which something is lacking of `wanted` good ones of each workload, in
/// the order in which they are to be measured: oldest first, but those of which nothing is lacking
/// that was not tried in vain before come last. `before` goes by commit and workload.
std::vector<CollectVisit> collect_visits(const std::vector<std::vector<CollectedBefore>>& before,
                                         int wanted);

/// What `collect` still needs of a run: of each workload so many good processes of head alone, or,
/// where the plan has a base (the anchor), so many good pairs; `wanted` goes by index into
/// Plan::workloads. A workload that the anchor cannot run is measured alone. Nothing when all of it
/// is there or failed, the budget has ended or the run was interrupted. Steps per invocation are
/// chosen as for a comparison: of pairs from the pilot, alone always policy.initial_steps.
///
/// A calibration takes so many pairs of every workload in the same way; `alone` is false there.
std::optional<Demand> next_collection(const Standing& standing, const std::vector<int>& wanted,
                                      bool alone = true);

/// What a run of `collect` has of its workloads, in the plan's order, but for those of which
/// nothing was wanted; `wanted` as for next_collection. A workload that lacks some of it is left
/// where the budget or a signal ended the run, and has failed where its processes fail.
std::vector<CollectedWorkload> collected_workloads(const Standing& standing,
                                                   const std::vector<int>& wanted);

/// The status of a commit with these workloads: left while one of them is, else measured where one
/// of them is, else failed.
CollectedStatus status_of(const std::vector<CollectedWorkload>& workloads);

/// So many commits of a program determine its level and whether it is stable.
inline constexpr int kCommitsOfProgram = 3;

/// Which commits of a line are to be measured of one workload, so that every stretch of neighbours
/// with one program is measured at three of them, or at all where it has no more. Those chosen are
/// the farthest from all that are measured: of a stretch where none is, the first, the last and the
/// one in the middle. `ids`, by commit: equal where the program is; empty: not known, which is
/// equal to nothing. `measured`: those that were measured before; none of them is chosen.
std::vector<bool> commits_to_measure(const std::vector<std::string>& ids,
                                     const std::vector<bool>& measured);

}  // namespace perf
