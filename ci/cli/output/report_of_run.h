#pragma once

#include <string>

#include "analyzer/join_shards.h"
#include "ci/cli/options/options.h"
#include "schema/store/store.h"

namespace perf {

/// The report of a run, word for word as it was stored. The stored samples are analyzed again, by
/// the stored policy; where that says something else, and where raw steps were pruned, a warning
/// is added. Of a run without a report, what its processes say so far, as if it had been
/// interrupted, with a warning. Throws Error.
ReportOfRun report_of_run(const Store& store, const std::string& id);

/// `report --join`: the shards of one comparison, as the files that they left tell them, as one
/// report. Throws UsageError for files of unlike plans and a shard that was measured twice, Error
/// for what no shard writes.
int join_command(const Options& options);

}  // namespace perf
