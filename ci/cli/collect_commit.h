#pragma once

#include "analyzer/collect/collect_visits.h"
#include "ci/cli/collect_work.h"
#include "ci/cli/progress.h"

namespace perf {

/// Builds a commit, measures what is lacking there, and stores it as a run of its own. `processes`
/// hears of each of them.
void collect_commit(CollectWork& work, const CollectVisit& visit, ProgressView& progress,
                    ProgressView& processes);

}  // namespace perf
