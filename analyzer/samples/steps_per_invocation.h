#pragma once

#include "analyzer/samples/standing.h"
#include "schema/policy.h"

namespace perf {

/// How many timed steps an invocation should take, from the first policy.pilot_pairs pairs. Of a
/// pair's variance s_pair^2 + 2 (1.2533 s_within)^2 / S, more steps shrink only the second part
/// (1.2533 s is the standard error of a median of one), and each costs c_step beside the c_start
/// that every fresh process costs anyway; the least variance for a given time is at
///     S = sqrt(c_start / c_step * 2 (1.2533 s_within)^2 / s_pair^2)
/// (Kalibera & Jones, "Rigorous benchmarking in reasonable time", ISMM 2013, section 6, for one
/// level and means). Clamped to min_steps..max_steps and to what keeps an invocation under its cap.
/// Deterministic: later pairs do not move it. policy.initial_steps while the pilot lasts, and all
/// along where the format is not `steps`: what one more value of such a program costs is not told
/// by the values. A whole process is one step.
int steps_per_invocation(const WorkloadStanding& workload, const Policy& policy);

}  // namespace perf
