#pragma once

#include <optional>
#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/demand.h"
#include "schema/policy.h"

namespace perf {

/// Pairs up to the nearest look of a series that is still open. A series may lag behind its
/// workload (a metric that some invocations leave out), but no series is waited for beyond the last
/// look. The looks must be known.
int pairs_to_next_look(const WorkloadStanding& workload);

/// Pairs that an open series is expected to lack to the look that should decide it; infinite where
/// none will.
double pairs_to_verdict(const MetricStanding& one);

/// What a pair of a workload takes, s, that of its control arm included: the median of the last
/// three.
double seconds_a_pair(const Standing& standing, const WorkloadStanding& workload);

/// What the first verdicts on every workload take from here.
struct FirstVerdicts {
  int fewest = 0, most = 0;          ///< pairs of a dear workload, those it has had included
  double shortest = 0, longest = 0;  ///< s
};
/// Nothing until m is known, and where no workload is dear.
std::optional<FirstVerdicts> first_verdicts(const Standing& standing);

/// The workloads that are measured where the budget (s) cannot bring every one to its next look:
/// those nearest to a verdict, by the seconds that they are expected to take, as many as the budget
/// can bring there. A pair for each workload would end without any verdict.
///
/// Near a verdict is a workload that lacks few pairs to its first look or, after it, to the look at
/// which its interval will have shrunk enough; workloads that no look is expected to decide come
/// last. What a pair takes is the median of the last three. The others are left out of the demand;
/// the nearest stays in it even where it alone is too much. Without looks, all stay.
void serve_the_nearest(const Standing& standing, double budget_left,
                       std::vector<WorkloadDemand>& demands);

/// How many timed steps an invocation should take, from the first policy.pilot_pairs pairs. Of a
/// pair's variance s_pair^2 + 2 (1.2533 s_within)^2 / S, more steps shrink only the second part
/// (1.2533 s is the standard error of a median of one), and each costs c_step beside the c_start
/// that every fresh process costs anyway; the least variance for a given time is at
///     S = sqrt(c_start / c_step * 2 (1.2533 s_within)^2 / s_pair^2)
/// (Kalibera & Jones, "Rigorous benchmarking in reasonable time", ISMM 2013, section 6, for one
/// level and means). Clamped to min_steps..max_steps and to what keeps an invocation under its cap.
/// Deterministic: later pairs do not move it. policy.initial_steps while the pilot lasts, and all
/// along where the format is not `steps`: what one more value of such a program costs is not known
/// by the values. A whole process is one step. No fewer than a judged quantile needs, whatever that
/// takes.
int steps_per_invocation(const WorkloadStanding& workload, const Policy& policy);

}  // namespace perf
