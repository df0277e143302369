#include "analyzer/collect/collected_workloads.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/samples/standing.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/log_ratio.h"
#include "analyzer/statistics/shift.h"
#include "schema/first_line.h"

namespace perf {
namespace {

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
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  return CollectedValue{median(values), *min, *max};
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

/// Why it failed; where there is no anchor, nothing is head or base.
std::string failure_of(const Plan& plan, const std::string& reason) {
  constexpr std::string_view kSide = "head ";
  return plan.base || !reason.starts_with(kSide) ? reason : reason.substr(kSide.size());
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
    collected.failure = failure_of(plan, on_one_line(samples.reason + further));
  } else if (collected.status == CollectedStatus::failed) {
    collected.failure = "its processes fail now and then";
  }
  for (const SeriesStanding& one : standing.series) {
    if (one.series.metric.name == kPeakRss.name) {
      collected.peak_rss = value_of(one.series.head);
    }
  }
  return collected;
}

void add_change(const SeriesStanding& one, const Policy& policy, CollectedWorkload& collected) {
  if (one.differences.empty()) {
    return;
  }
  collected.change = relative_change(estimate_centre(one.differences));
  if (const std::optional<Shift> shift = estimate_shift(one.differences, policy.alpha)) {
    const auto low = relative_change(shift->low), high = relative_change(shift->high);
    if (low && high) {
      collected.interval = Interval{*low, *high};
    }
  }
}

}  // namespace

std::vector<CollectedWorkload> collected_workloads(const Plan& plan, const History& history,
                                                   const Policy& policy,
                                                   const std::vector<int>& wanted) {
  assert(wanted.size() == plan.workloads.size());
  const Standing standing = standing_of(plan, history, policy);
  std::vector<CollectedWorkload> all;
  for (const WorkloadStanding& workload : standing.workloads) {
    const CollectedWorkload entry = begin_workload(plan, workload, wanted[workload.index]);
    const std::size_t before = all.size();
    for (const SeriesStanding& one : workload.series) {
      if (one.series.metric.name != kStepTime.name || one.series.head.empty()) {
        continue;
      }
      CollectedWorkload collected = entry;
      collected.workload = one.series.workload;
      collected.params = one.series.params;
      collected.step_time = value_of(one.series.head);
      add_change(one, policy, collected);
      all.push_back(std::move(collected));
    }
    if (all.size() == before) {
      all.push_back(entry);
    }
  }
  return all;
}

CollectedStatus status_of(const std::vector<CollectedWorkload>& workloads) {
  bool measured = false;
  for (const CollectedWorkload& workload : workloads) {
    if (workload.status == CollectedStatus::left) {
      return CollectedStatus::left;
    }
    measured = measured || workload.status == CollectedStatus::measured;
  }
  return measured ? CollectedStatus::measured : CollectedStatus::failed;
}

}  // namespace perf
