#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/policy.h"
#include "schema/warning.h"

namespace perf {

/// What the session did to the pairs behind a verdict: `session_drift` (the level of both sides
/// moved; pairs cancel it), `halves_disagree` (its second half shows another change than its first)
/// and `bimodal_pairs` (the pairs, or the runs of a side, fall into two groups). Each has to be
/// beyond chance and at least policy.warning_share of the threshold.
///
/// Chance: policy.warning_alpha is shared among the `judged` rows of the report; the halves, which
/// need the most pairs, get eight tenths of it, the drift one, the groups about one (their level is
/// fixed, see two_clusters.h); a row that took k looks has a k-th of its share. `pairs`: how many
/// are behind the verdict.
std::vector<Warning> session_warnings(const MetricStanding& one, std::size_t pairs,
                                      const Policy& policy, int judged);

}  // namespace perf
