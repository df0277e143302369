#include "analyzer/next.h"

#include <algorithm>
#include <utility>

#include "analyzer/rows/comparison_rows.h"
#include "analyzer/rule/look_schedule.h"
#include "analyzer/samples/serving.h"
#include "analyzer/samples/standing.h"

namespace perf {
namespace {

// A workload that only head has: a few invocations, for its numbers and for history.
int wanted_alone(const WorkloadSamples& samples, const Policy& policy) {
  return std::max(policy.new_invocations - static_cast<int>(samples.head.size()), 0);
}

int wanted_pairs(const WorkloadStanding& workload, const Standing& standing, const Policy& policy) {
  const int measured = static_cast<int>(workload.samples.pairs.size());
  if (workload.samples.given_up) {
    return 0;
  }
  if (!standing.frozen) {
    return measured == 0 ? 1 : 0;  // m is known once everybody had a pair
  }
  if (workload.looks.pairs.empty() || !workload.open()) {
    return 0;
  }
  const int to_look = pairs_to_next_look(workload);
  return measured < policy.pilot_pairs ? std::min(policy.pilot_pairs - measured, to_look) : to_look;
}

// A control arm takes as many pairs as what it stands beside, of the same steps, next to them.
void add_control(const Standing& standing, const WorkloadStanding& workload, WorkloadDemand wanted,
                 Demand& demand) {
  for (const WorkloadStanding& control : standing.controls) {
    if (!stands_beside(control, workload) || control.samples.fate != Fate::paired ||
        control.samples.given_up || !wanted.paired) {
      continue;
    }
    wanted.workload = control.index;
    wanted.count += static_cast<int>(workload.samples.pairs.size()) -
                    static_cast<int>(control.samples.pairs.size());
    if (wanted.count > 0) {
      demand.workloads.push_back(wanted);
    }
  }
}

/// What a demand's pairs are, and take.
struct Paired {
  int most = 0;  ///< that a workload will have had
  double seconds = 0;
};

Paired paired_in(const Standing& standing, const Demand& demand) {
  Paired paired;
  for (const WorkloadDemand& wanted : demand.workloads) {
    for (const WorkloadStanding& workload : standing.workloads) {
      if (workload.index == wanted.workload && wanted.paired) {
        const int measured = static_cast<int>(workload.samples.pairs.size());
        paired.most = std::max(paired.most, measured + wanted.count);
        paired.seconds += wanted.count * seconds_a_pair(standing, workload);
      }
    }
  }
  return paired;
}

double mean_seconds(const std::vector<const Invocation*>& runs) {
  double seconds = 0;
  for (const Invocation* run : runs) {
    seconds += run->process.wall / static_cast<double>(runs.size());
  }
  return seconds;
}

// A target takes head's value from as many invocations as the first look would have pairs. Where
// the budget is too small for both, what differs comes first. The answer is the seconds they take.
double add_for_targets(const Standing& standing, double seconds, Demand& demand) {
  const Policy& policy = *standing.policy;
  const std::vector<int> looks = look_schedule(policy, standing.judged);
  const bool nothing_differs = demand.workloads.empty();
  for (const WorkloadStanding& one : standing.for_targets) {
    const int measured = static_cast<int>(one.samples.head.size());
    const int first_look = standing.frozen && !looks.empty() ? looks.front() : 1;
    const WorkloadDemand wanted{one.index, first_look - measured, false,
                                steps_per_invocation(one, policy), policy.warmup_steps};
    const double its_seconds = wanted.count * mean_seconds(one.samples.head);
    const bool has_room = nothing_differs || seconds + its_seconds <= demand.budget_left;
    if (one.samples.fate == Fate::alone && wanted.count > 0 && has_room) {
      seconds += its_seconds;
      demand.workloads.push_back(wanted);
    }
  }
  return seconds;
}

// An audit takes as many pairs as whatever takes most, and none where nothing is measured in pairs.
// Where the budget is too small for both, what differs comes first.
void add_audits(const Standing& standing, int most, double seconds, Demand& demand) {
  for (const WorkloadStanding& audit : standing.audits) {
    const WorkloadDemand wanted{audit.index, most - static_cast<int>(audit.samples.pairs.size()),
                                true, steps_per_invocation(audit, *standing.policy),
                                standing.policy->warmup_steps};
    if (audit.samples.fate == Fate::paired && !audit.samples.given_up && wanted.count > 0) {
      seconds += wanted.count * seconds_a_pair(standing, audit);
      if (seconds <= demand.budget_left) {
        demand.workloads.push_back(wanted);
      }
    }
  }
}

Demand wanted_timings(const Standing& standing) {
  const Policy& policy = *standing.policy;
  Demand demand;
  demand.budget_left = policy.budget - standing.measurements->measured;
  if (standing.ended) {
    return demand;
  }
  for (const WorkloadStanding& workload : standing.workloads) {
    WorkloadDemand wanted{workload.index, 0, true, steps_per_invocation(workload, policy),
                          policy.warmup_steps};
    if (workload.samples.fate == Fate::alone) {
      wanted.paired = false;
      wanted.count = wanted_alone(workload.samples, policy);
    } else if (workload.samples.fate == Fate::paired) {
      wanted.count = wanted_pairs(workload, standing, policy);
    }
    if (wanted.count > 0) {
      demand.workloads.push_back(wanted);
      add_control(standing, workload, wanted, demand);
    }
  }
  serve_the_nearest(standing, demand.budget_left, demand.workloads);
  const Paired paired = paired_in(standing, demand);
  add_audits(standing, paired.most, add_for_targets(standing, paired.seconds, demand), demand);
  return demand;
}

/// --pairs ends before the first look.
bool lacks_looks(const WorkloadStanding& workload) {
  return workload.looks.pairs.empty() && workload.open();
}

}  // namespace

std::optional<Demand> next(const Standing& standing) {
  const Policy& policy = *standing.policy;
  if (!standing.ended) {
    if (!standing.plan->shard) {  // another may have the metric
      require_named_metrics(standing, policy);
    }
    if (standing.frozen && std::ranges::any_of(standing.workloads, lacks_looks)) {
      require_reachable_look(policy, standing.judged);
    }
  }
  Demand demand = wanted_timings(standing);
  if (demand.workloads.empty()) {  // last, because it is slow; it costs nothing of the budget
    demand.workloads = wanted_counts(standing);
  }
  return demand.workloads.empty() ? std::nullopt : std::optional<Demand>(std::move(demand));
}

}  // namespace perf
