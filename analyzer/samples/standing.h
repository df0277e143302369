#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/rule/decision.h"
#include "analyzer/samples/samples.h"
#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/policy.h"

namespace perf {

/// The state of one series.
struct MetricStanding {
  MetricSamples series;
  double threshold = 0;             ///< by the first pair's level: threshold_at
  Rule rule;                        ///< empty of looks until m is frozen
  std::vector<double> differences;  ///< ln(head/base) by pair; empty where there is no ratio
  /// Base against head, counted in m. Others have no verdict, or are new or missing.
  bool under_test = false;
  bool incomparable =
      false;          ///< under test, but no ratio can be taken, or none would mean anything;
                      ///< counted in m, also where a later process has too few steps
  Decision decision;  ///< of a series under test

  /// More pairs could still decide it.
  bool open() const { return under_test && !incomparable && !decision.decided(); }
};

struct WorkloadStanding {
  std::size_t index = 0;  ///< in Plan::workloads
  WorkloadSamples samples;
  std::vector<MetricStanding> series;
  Looks looks{};  ///< empty until m is frozen, or when --pairs ends before the first look
  /// Why its sides cannot be compared (samples.h).
  std::optional<Unlike> not_same_work;

  bool is_same() const { return samples.fate == Fate::same; }
  /// Some series could still be decided by more pairs.
  bool open() const;
};

/// Whether it is the control arm of the workload.
inline bool stands_beside(const WorkloadStanding& control, const WorkloadStanding& workload) {
  return control.samples.planned->control_of == workload.samples.planned->workload.name;
}

/// The state of a run: the one reading of plan, measurements and policy that both `next` (what is
/// still to be measured?) and `analyze` (what is known?) use, so that they cannot disagree. Points
/// to the plan, the measurements and the policy it was made from.
struct Standing {
  const Plan* plan = nullptr;
  const Measurements* measurements = nullptr;
  const Policy* policy = nullptr;
  std::vector<WorkloadStanding> workloads;  ///< in the plan's order, control arms left out
  /// Base against base, under the names of their workloads. They count neither in m nor in a
  /// summary; their decisions are what would have been reported.
  std::vector<WorkloadStanding> controls;
  /// The same program on both sides, measured to check the traces. They count for as little;
  /// `workloads` has them as well, without pairs.
  std::vector<WorkloadStanding> audits;
  /// The same program, but a target needs head's value. They count for as little.
  std::vector<WorkloadStanding> for_targets;
  bool ended = false;   ///< budget, or interrupted: nothing more will be measured
  bool frozen = false;  ///< every workload that can be compared has had its first pair
  int judged = 0;       ///< m: comparisons under test
};

Standing standing_of(const Plan& plan, const Measurements& measurements, const Policy& policy);

/// Throws UsageError when no workload measures a metric of --metric: as soon as every workload has
/// been measured once (or cannot be), and some invocation ended well.
void require_named_metrics(const Standing& standing, const Policy& policy);

/// The names of all metrics measured.
std::set<std::string> metric_names(const Standing& standing);

/// The same of metrics that were measured before, all in `there`. Accepts any name if it is empty.
void require_metrics_among(const std::set<std::string>& there, const Policy& policy);

}  // namespace perf
