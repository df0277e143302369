#include "analyzer/collect/collection.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/samples/serving.h"
#include "analyzer/samples/standing.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/shift.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

int wanted_pairs(const WorkloadSamples& samples, const Policy& policy, int wanted) {
  const int measured = static_cast<int>(samples.pairs.size());
  if (samples.given_up) {
    return 0;
  }
  return (measured < policy.pilot_pairs ? std::min(wanted, policy.pilot_pairs) : wanted) - measured;
}

std::optional<CollectedValue> value_of(const std::vector<Sample>& samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) {
    if (std::isfinite(sample.value)) {
      values.push_back(sample.value);
    }
  }
  if (values.empty()) {
    return std::nullopt;
  }
  const auto [min, max] = std::ranges::minmax(values);
  return CollectedValue{median(values), min, max};
}

CollectedStatus status_of(const WorkloadSamples& samples, int wanted) {
  if (samples.fate == Fate::failed) {
    return CollectedStatus::failed;
  }
  const std::size_t done =
      samples.fate == Fate::paired ? samples.pairs.size() : samples.head.size();
  if (static_cast<int>(done) >= wanted) {
    return CollectedStatus::measured;
  }
  return samples.given_up ? CollectedStatus::failed : CollectedStatus::left;
}

/// The entry's record, without the values of a series.
CollectedWorkload begin_workload(const Plan& plan, const WorkloadStanding& standing, int wanted) {
  const WorkloadSamples& samples = standing.samples;
  CollectedWorkload collected;
  collected.workload = samples.planned->workload.name;
  collected.params = samples.planned->workload.params;
  collected.status = status_of(samples, wanted);
  collected.invocations = static_cast<int>(samples.head.size());
  collected.pairs = static_cast<int>(samples.pairs.size());
  if (samples.fate == Fate::failed || samples.base_failed ||
      !samples.planned->base_missing.empty()) {
    const std::string further = samples.told.empty() ? "" : "\n" + samples.told;
    collected.failure = on_one_line(samples.reason.text(plan.base.has_value()) + further);
  } else if (collected.status == CollectedStatus::failed) {
    collected.failure = "its processes fail intermittently";
  }
  for (const MetricStanding& one : standing.series) {
    if (one.series.metric.name == kPeakRss.name) {
      collected.peak_rss = value_of(one.series.head);
    }
  }
  return collected;
}

}  // namespace

std::vector<CollectVisit> collect_visits(const std::vector<std::vector<CollectedBefore>>& before,
                                         int wanted) {
  std::vector<CollectVisit> visits, tried_before;
  for (std::size_t commit = 0; commit < before.size(); ++commit) {
    CollectVisit visit{commit, {}};
    bool lacking = false, untried = false;
    for (const CollectedBefore& workload : before[commit]) {
      visit.wanted.push_back(std::max(wanted - workload.good, 0));
      lacking = lacking || visit.wanted.back() > 0;
      untried = untried || (visit.wanted.back() > 0 && workload.failures == 0);
    }
    if (lacking) {
      (untried ? visits : tried_before).push_back(std::move(visit));
    }
  }
  std::ranges::move(tried_before, std::back_inserter(visits));
  return visits;
}

std::optional<Demand> next_collection(const Standing& standing, const std::vector<int>& wanted,
                                      bool alone) {
  assert(wanted.size() == standing.plan->workloads.size());
  const Policy& policy = *standing.policy;
  if (standing.ended) {
    return std::nullopt;
  }
  Demand demand;
  demand.budget_left = policy.budget - standing.measurements->measured;
  for (const WorkloadStanding& workload : standing.workloads) {
    const WorkloadSamples& samples = workload.samples;
    WorkloadDemand one{workload.index, 0, true, steps_per_invocation(workload, policy),
                       policy.warmup_steps};
    if (samples.fate == Fate::paired) {
      one.count = wanted_pairs(samples, policy, wanted[workload.index]);
    } else if (samples.fate == Fate::alone && alone) {
      one.paired = false;
      one.count = wanted[workload.index] - static_cast<int>(samples.head.size());
    }
    if (one.count > 0) {
      demand.workloads.push_back(one);
    }
  }
  return demand.workloads.empty() ? std::nullopt : std::optional(std::move(demand));
}

std::vector<CollectedWorkload> collected_workloads(const Standing& standing,
                                                   const std::vector<int>& wanted) {
  const Plan& plan = *standing.plan;
  assert(wanted.size() == plan.workloads.size());
  std::vector<CollectedWorkload> all;
  for (const WorkloadStanding& workload : standing.workloads) {
    if (wanted[workload.index] == 0) {
      continue;
    }
    const CollectedWorkload entry = begin_workload(plan, workload, wanted[workload.index]);
    const std::size_t before = all.size();
    for (const MetricStanding& one : workload.series) {
      if (one.series.metric.name != kStepTime.name || one.series.head.empty()) {
        continue;
      }
      CollectedWorkload collected = entry;
      collected.workload = one.series.workload;
      collected.params = one.series.params;
      collected.step_time = value_of(one.series.head);
      std::tie(collected.change, collected.interval) =
          shown_change(one.differences, standing.policy->alpha);
      all.push_back(std::move(collected));
    }
    if (all.size() == before) {
      all.push_back(entry);
    }
  }
  return all;
}

CollectedStatus status_of(const std::vector<CollectedWorkload>& workloads) {
  const auto any = [&workloads](CollectedStatus status) {
    return std::ranges::find(workloads, status, &CollectedWorkload::status) != workloads.end();
  };
  return any(CollectedStatus::left)       ? CollectedStatus::left
         : any(CollectedStatus::measured) ? CollectedStatus::measured
                                          : CollectedStatus::failed;
}

}  // namespace perf
