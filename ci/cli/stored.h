#pragma once

#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "ci/cli/report_output.h"
#include "collector/process/spawner.h"
#include "schema/policy.h"
#include "schema/report.h"
#include "schema/sample_set.h"
#include "schema/store/store.h"
#include "schema/workload.h"

namespace perf {

/// `perf-compare BASE HEAD --stored`: judges what the store holds of the two revisions, and
/// measures nothing. Returns the exit code.
int stored_command(const Options& options, Spawner& spawner);

/// Throws UsageError for options that ask to measure, beside what (`--stored`) measures nothing.
void refuse_what_measures(const Options& options, const std::string& what);

/// Writes the report of a command that measured nothing; returns the exit code. `measured`: what an
/// earlier run measured, for its pictures; may be empty.
int write_unmeasured(const Report& report, const MeasuredBehind& measured, const Options& options);

/// The newest stored sessions of a workload at a revision, at most `limit`, in the order of time.
std::vector<SampleSet> stored_sessions(const Store& store, const Workload& workload,
                                       const std::string& oid, const std::string& size,
                                       const Policy& policy, std::int64_t limit);

}  // namespace perf
