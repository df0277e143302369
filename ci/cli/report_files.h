#pragma once

#include <optional>

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

/// `perf-compare BASE HEAD` where one of the names, or both, is a report file that `--json` wrote,
/// and no pin, baseline or revision has the name. Returns the exit code; nothing where neither is
/// one. Two files need no repository; of a revision on the other side the newest stored session is
/// taken, and nothing is measured. Throws UsageError for a file that is no report.
std::optional<int> compare_report_files(const Options& options, Spawner& spawner);

}  // namespace perf
