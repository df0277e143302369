#pragma once

#include "ci/cli/init/proposal.h"
#include "ci/cli/progress.h"
#include "collector/git/repository.h"

namespace perf {

/// Builds the workloads as the working tree is now, and runs each once. Those that do not work go,
/// each with the reason in `left_out`, which `progress` hears of as well. Returns early where a
/// signal asks to stop. Throws UsageError where there is no commit yet, Error where none works.
void try_out(Proposal& proposal, const Repository& repository, ProgressView& progress);

}  // namespace perf
