#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"
#include "schema/policy.h"
#include "schema/sample_set.h"
#include "schema/store/store.h"
#include "schema/workload.h"

namespace perf {

/// `perf-compare BASE HEAD --stored`: judges what the store holds of the two revisions, and
/// measures nothing; with `--history` also what it holds of the commits before base, where no run
/// paired the two. Returns the exit code.
int stored_command(const Options& options, Spawner& spawner);

/// `perf-compare BASE HEAD` where one of the names, or both, is a report file that `--json` wrote,
/// and no pin, baseline or revision has the name. Returns the exit code; nothing where neither is
/// one. Two files need no repository; of a revision on the other side the newest stored session is
/// taken, and nothing is measured. Throws UsageError for a file that is no report.
std::optional<int> compare_report_files(const Options& options, Spawner& spawner);

/// Of each workload the newest stored sessions at a revision, at most `limit`, in the order of
/// time. Each run is loaded once.
std::vector<std::vector<SampleSet>> stored_sessions(const Store& store,
                                                    const std::vector<const Workload*>& workloads,
                                                    const std::string& oid, const std::string& size,
                                                    const Policy& policy, std::int64_t limit);

}  // namespace perf
