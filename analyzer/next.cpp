#include "analyzer/next.h"

#include <algorithm>
#include <cstddef>

#include "analyzer/rule/look_schedule.h"
#include "analyzer/samples/named_metrics.h"
#include "analyzer/samples/standing.h"
#include "analyzer/samples/steps_per_invocation.h"

namespace perf {
namespace {

// A workload that only head has: a few invocations, for its numbers and for history.
int wanted_alone(const WorkloadSamples& samples, const Policy& policy) {
  return std::max(policy.new_invocations - static_cast<int>(samples.head.size()), 0);
}

// Pairs up to the nearest look of a series that is still open. A series may lag behind its workload
// (a metric that some invocations leave out), but nobody is waited for beyond the last look.
int wanted_to_next_look(const WorkloadStanding& workload, const std::vector<int>& looks) {
  const int measured = static_cast<int>(workload.samples.pairs.size());
  int wanted = looks.back() - measured;
  for (const SeriesStanding& one : workload.series) {
    if (!one.open()) {
      continue;
    }
    const int seen = static_cast<int>(one.differences.size());
    const auto look = std::upper_bound(looks.begin(), looks.end(), seen);
    if (look != looks.end()) {
      wanted = std::min(wanted, *look - seen);
    }
  }
  return std::max(wanted, 0);
}

int wanted_pairs(const WorkloadStanding& workload, const Standing& standing, const Policy& policy) {
  const int measured = static_cast<int>(workload.samples.pairs.size());
  if (workload.samples.given_up) {
    return 0;
  }
  if (!standing.frozen) {
    return measured == 0 ? 1 : 0;  // m is known once everybody had a pair
  }
  if (standing.looks.empty() || !workload.open()) {
    return 0;
  }
  const int to_look = wanted_to_next_look(workload, standing.looks);
  return measured < policy.pilot_pairs ? std::min(policy.pilot_pairs - measured, to_look) : to_look;
}

}  // namespace

std::optional<Demand> next(const Plan& plan, const History& history, const Policy& policy) {
  const Standing standing = standing_of(plan, history, policy);
  if (standing.ended) {
    return std::nullopt;
  }
  require_named_metrics(standing, policy);
  if (standing.frozen && standing.judged > 0) {
    require_reachable_look(policy, standing.judged);
  }
  Demand demand;
  demand.budget_left = policy.budget - history.measured;
  for (std::size_t i = 0; i < standing.workloads.size(); ++i) {
    const WorkloadStanding& workload = standing.workloads[i];
    WorkloadDemand wanted;
    wanted.workload = i;
    wanted.warmup = policy.warmup_steps;
    wanted.steps = policy.initial_steps;
    if (workload.samples.fate == Fate::alone) {
      wanted.paired = false;
      wanted.count = wanted_alone(workload.samples, policy);
    } else if (workload.samples.fate == Fate::paired) {
      wanted.count = wanted_pairs(workload, standing, policy);
      wanted.steps = steps_per_invocation(workload, policy);
    }
    if (wanted.count > 0) {
      demand.workloads.push_back(wanted);
    }
  }
  if (demand.workloads.empty()) {
    return std::nullopt;
  }
  return demand;
}

}  // namespace perf
