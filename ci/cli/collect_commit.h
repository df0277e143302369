#pragma once

#include <cstddef>
#include <vector>

#include "ci/cli/collect_work.h"

namespace perf {

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
