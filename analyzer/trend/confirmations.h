#pragma once

#include <string>
#include <vector>

#include "schema/report.h"
#include "schema/trend.h"

namespace perf {

/// An A/B comparison that would confirm or refute findings.
struct Confirmation {
  std::string previous_oid, oid;       ///< base and head, in full
  std::vector<std::string> workloads;  ///< the config's names, sorted
  std::vector<std::string> metrics;    ///< that must be judged, sorted
  /// The comparison's, for all of them: half the smallest change, or the policy's where that is
  /// smaller. At a larger one a change that is there would be called unchanged.
  double threshold = 0;
};

/// The comparisons worth running, most urgent first: new alerts, new machine events (their biggest
/// change), suspects, alerts shown before that no comparison has confirmed or refuted; of each that
/// of most evidence first, and every pair of commits once with all its workloads. None of what was
/// ignored or marked as fixed.
std::vector<Confirmation> confirmations(const TrendReport& report);

/// The workloads, sorted, with an alert shown before that cannot be compared any more: they were
/// imported, or the config has them no longer.
std::vector<std::string> unsettled_for_good(const TrendReport& report);

/// Adds a comparison and its results to the report. A step between its two
/// commits is confirmed where the verdict on that workload and metric is regressed, refuted where
/// it is unchanged or improved, and stays as it was where it is anything else. A suspect, or a
/// member of a machine event, that is confirmed becomes a new alert.
void apply_confirmation(TrendReport& report, const Confirmation& asked, const Report& result);

}  // namespace perf
