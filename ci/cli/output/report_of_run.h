#pragma once

#include <string>

#include "analyzer/join_shards.h"
#include "ci/cli/options/options.h"
#include "schema/store/store.h"

namespace perf {

/// The stored report of a run, unchanged, with a warning if analyzing the stored samples again
/// gives another result or if raw steps were pruned. For a run without a report, the analysis of
/// its processes so far, with a warning. Throws Error.
ReportOfRun report_of_run(const Store& store, const std::string& id);

/// `report --join`: one report from the stores of the shards of one comparison. Throws UsageError
/// for different plans and for a shard that was measured twice, Error for contradictory stores.
int join_command(const Options& options);

}  // namespace perf
