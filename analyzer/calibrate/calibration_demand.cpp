#include <algorithm>

#include "analyzer/calibrate/calibration.h"
#include "analyzer/samples/standing.h"
#include "analyzer/samples/steps_per_invocation.h"

namespace perf {

std::optional<Demand> next_calibration(const Plan& plan, const History& history,
                                       const Policy& policy, int pairs) {
  const Standing standing = standing_of(plan, history, policy);
  if (standing.ended) {
    return std::nullopt;
  }
  Demand demand;
  demand.budget_left = policy.budget - history.measured;
  for (const WorkloadStanding& workload : standing.workloads) {
    const int measured = static_cast<int>(workload.samples.pairs.size());
    WorkloadDemand wanted;
    wanted.workload = workload.index;
    wanted.warmup = policy.warmup_steps;
    wanted.steps = steps_per_invocation(workload, policy);
    wanted.count =
        (measured < policy.pilot_pairs ? std::min(pairs, policy.pilot_pairs) : pairs) - measured;
    if (workload.samples.fate == Fate::paired && !workload.samples.given_up && wanted.count > 0) {
      demand.workloads.push_back(wanted);
    }
  }
  if (demand.workloads.empty()) {
    return std::nullopt;
  }
  return demand;
}

}  // namespace perf
