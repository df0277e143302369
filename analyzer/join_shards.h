#pragma once

#include <vector>

#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/report.h"

namespace perf {

/// A run with its report, as a store gives them back.
struct ReportOfRun {
  Report report;
  Plan plan;
  Measurements measurements;
};

/// The shards of one plan, at most one run of each number, as one report: rows keep what their own
/// shard decided at its share of alpha, so that the whole has one error rate; summary, families and
/// m are of all. Shards that are not there, and those that did not finish, are named in
/// missing_shards. A ratio of two shards' workloads is computed, with a warning, where both were
/// measured on machines of one fingerprint, else not. Throws UsageError where all shards are there
/// and
/// --metric named what none of them measures.
Report join_shards(std::vector<ReportOfRun> shards);

}  // namespace perf
