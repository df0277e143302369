#pragma once

#include <optional>
#include <vector>

#include "schema/policy.h"

namespace perf {

/// a' = alpha / (m K): what one look at one of m judged comparisons may spend of the report's error
/// rate (Bonferroni over comparisons and looks). A shard of k_i of the plan's k workloads has alpha
/// k_i/k (alpha_share) for its own m.
double look_alpha(const Policy& policy, int judged);

/// n_1 = min{n : 2^(1-n) <= a'}: with fewer pairs not even unanimous differences have an interval.
int first_possible_look(const Policy& policy, int judged);

/// The numbers of pairs at which comparisons are looked at, ascending: n_1, n_{k+1} =
/// ceil(growth n_k), K looks in all. policy.min_pairs raises n_1. `last` (by default
/// policy.max_pairs, when set) ends the schedule: a look is taken at it and none beyond; beyond the
/// K-th look it changes nothing, but for a single look, which is taken at it. K is always the full
/// number of looks: an early end gives no error back. Empty when the end lies before the first
/// look.
std::vector<int> look_schedule(const Policy& policy, int judged,
                               std::optional<int> last = std::nullopt);

/// Throws UsageError when policy.max_pairs ends before the first look that m comparisons allow.
void require_reachable_look(const Policy& policy, int judged);

}  // namespace perf
