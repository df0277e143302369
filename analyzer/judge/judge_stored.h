#pragma once

#include <memory>
#include <string>
#include <vector>

#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/report.h"
#include "schema/sample_set.h"
#include "schema/workload.h"

namespace perf {

/// A run as the store has it.
struct StoredRun {
  Plan plan;
  Measurements measurements;
};

/// What a store holds of one workload of a comparison.
struct StoredWorkload {
  PlannedWorkload planned;                 ///< as it is wanted
  std::shared_ptr<const StoredRun> pairs;  ///< a run that paired exactly these revisions
  std::vector<SampleSet> base, head;       ///< where there is none: sessions, in the order of time
};

/// m: how many comparisons judge_stored judges.
int judged_in(const Plan& wanted, const std::vector<StoredWorkload>& stored, const Policy& policy);

/// The report of a comparison that measures nothing. `wanted` has the two revisions and all
/// workloads, each of which has its place in `stored`.
///
/// Pairs of one run are evidence: their verdicts are made again by the ordinary rule, with the
/// policy given, over all that run measured of the workload. Samples of different sessions are
/// judged by judge_sessions. m counts both, and alpha is one for the whole report. A workload
/// of which nothing is stored is inconclusive; where nothing at all is, `nothing_ran` is set.
/// Leaves to the caller what analyze() does. Throws UsageError where --pairs ends before the first
/// look, or --metric names what nothing stored measures.
Report judge_stored(const Plan& wanted, const std::vector<StoredWorkload>& stored,
                    const Policy& policy, const std::vector<Target>& targets);

/// The report of two sides that are report files, or one of them and what a store holds of the
/// other revision: a report holds no samples, so that every row is at most inconclusive, with the
/// change of medians shown. The revisions, the environment and what analyze() leaves to the caller
/// are the caller's. Throws UsageError where --metric names
/// what neither side measures.
Report judge_reports(const std::vector<SampleSet>& base, const std::vector<SampleSet>& head,
                     const Policy& policy);

/// What a stored run holds of a workload at a revision, as one session: one value an invocation
/// (for times the median of its timed steps) of every metric, in start order. Invocations of either
/// side count, if they ran with the workload's parameters, ended well, and were timed as they were
/// asked for. Empty of series where there is none.
SampleSet stored_samples(const Plan& plan, const Measurements& measurements,
                         const Workload& workload, const std::string& oid, const Policy& policy);

}  // namespace perf
