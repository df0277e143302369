#include "analyzer/collect/collect_demand.h"

#include <algorithm>
#include <cassert>

#include "analyzer/samples/standing.h"
#include "analyzer/samples/steps_per_invocation.h"

namespace perf {
namespace {

int wanted_pairs(const WorkloadSamples& samples, const Policy& policy, int wanted) {
  const int measured = static_cast<int>(samples.pairs.size());
  if (samples.given_up) {
    return 0;
  }
  return (measured < policy.pilot_pairs ? std::min(wanted, policy.pilot_pairs) : wanted) - measured;
}

}  // namespace

std::optional<Demand> next_collection(const Plan& plan, const History& history,
                                      const Policy& policy, const std::vector<int>& wanted) {
  assert(wanted.size() == plan.workloads.size());
  const Standing standing = standing_of(plan, history, policy);
  if (standing.ended) {
    return std::nullopt;
  }
  Demand demand;
  demand.budget_left = policy.budget - history.measured;
  for (const WorkloadStanding& workload : standing.workloads) {
    const WorkloadSamples& samples = workload.samples;
    WorkloadDemand one;
    one.workload = workload.index;
    one.warmup = policy.warmup_steps;
    one.steps = steps_per_invocation(workload, policy);
    if (samples.fate == Fate::paired) {
      one.count = wanted_pairs(samples, policy, wanted[workload.index]);
    } else if (samples.fate == Fate::alone) {
      one.paired = false;
      one.count = wanted[workload.index] - static_cast<int>(samples.head.size());
    }
    if (one.count > 0) {
      demand.workloads.push_back(one);
    }
  }
  if (demand.workloads.empty()) {
    return std::nullopt;
  }
  return demand;
}

}  // namespace perf
