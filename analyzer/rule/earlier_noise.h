#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analyzer/rule/early_looks.h"
#include "schema/plan.h"
#include "schema/policy.h"

namespace perf {

/// The distance of each pair of the newest sessions (runs) from the median of its session's other
/// pairs: the change between a session's commits cancels. `newest_first`: the differences ln(head/
/// base) of each session's pairs, in order; `pairs` and `largest` of the answer are set.
///
/// Nothing of fewer than 30 pairs or of 5 sessions of 4 pairs; where neighbours correlate (lag 1,
/// more than 3 / sqrt(pairs)); and where less than a tenth of the distances are not 0: what a
/// metric resolves is not its noise. More than 200 pairs are not used. A session whose values are
/// those of a newer one is a copy.
std::optional<EarlierNoise> noise_of(std::span<const std::vector<double>> newest_first);

/// Lets early looks before `plain` rest on earlier noise: usual = the j-th largest distance, with
/// the largest j <= pairs/10 for which m 2^(1-n) C(n+j-1, n) / C(pairs+n, n) <= alpha/200, n =
/// early.first; at least `resolution` (ln). Without such a j nothing changes.
///
/// That is P(all n new values exceed the j-th largest of `pairs` earlier ones) of exchangeable
/// distances (E. J. Gumbel & H. von Schelling, "The distribution of the number of exceedances",
/// Ann. Math. Statist. 21 (1950), 247-262), times P(all on one side), in either direction.
void rest_on(const EarlierNoise& noise, double resolution, const Policy& policy, int judged,
             EarlyLooks& early);

}  // namespace perf
