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
  std::string started_at{};
};

/// A workload that a stored run paired at exactly the two revisions.
struct PairedWorkload {
  PlannedWorkload planned;  ///< as it is wanted
  std::shared_ptr<const StoredRun> run;
};

/// What `judge` compares: files, what the store holds of a revision, or one of each.
struct JudgedSides {
  /// The two sides; where both are of the store, the wanted workloads and the size.
  Plan plan;
  std::vector<PairedWorkload> pairs;
  /// Sessions of what no run paired, in the order of time.
  std::vector<SampleSet> base, head;
  /// Whether the sessions' comparisons are one report, as those of the store are.
  bool together = true;
  std::vector<std::string> globs{};  ///< of the sessions' benchmarks that get rows; empty: all
};

/// m: how many comparisons judge_sides judges.
int judged_in(const JudgedSides& sides, const Policy& policy);

/// The report of a comparison that measures nothing.
///
/// Pairs of one run are evidence: their verdicts are made again by the ordinary rule, with the
/// policy given, over all that run measured of the workload. Samples of different sessions are
/// judged by judge_sessions. m counts both, and alpha is one for the whole report. A wanted
/// workload without a result is inconclusive; where nothing at all was compared, `nothing_ran` is
/// set. Leaves to the caller what analyze() does. Throws UsageError where --pairs ends before the
/// first look, --metric or a glob names what neither side measures, or the sizes differ.
Report judge_sides(const JudgedSides& sides, const Policy& policy,
                   const std::vector<Target>& targets);

/// What a stored run holds of a workload at a revision, as one session: one value an invocation
/// (for times the median of its timed steps) of every metric, in start order. Invocations of either
/// side count, if they ran with the workload's parameters, ended well, and were timed as they were
/// asked for. Where there is none, but one that ended badly, the workload failed.
SampleSet stored_samples(const Plan& plan, const Measurements& measurements,
                         const Workload& workload, const std::string& oid, const Policy& policy);

}  // namespace perf
