#include "analyzer/samples/standing.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "analyzer/rule/earlier_noise.h"
#include "analyzer/samples/device_clocks.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/error.h"
#include "schema/text/lists.h"
#include "schema/text/nearest_name.h"

namespace perf {
namespace {

MetricStanding begin_series(MetricSamples series, bool same_work, const Policy& policy) {
  MetricStanding standing;
  const bool alike = same_work && !series.unlike && !series.too_few;
  standing.under_test = series.judged && series.in_first_pair;
  standing.incomparable = standing.under_test && !alike;
  for (const PairedSample& pair : series.pairs) {
    const std::optional<double> difference = log_ratio(pair.base.value, pair.head.value);
    if (!difference || !alike) {
      standing.incomparable = standing.under_test;
      standing.differences.clear();
      break;
    }
    const double largest = std::max(pair.base.value, pair.head.value);
    standing.differences.push_back(is_below_resolution(largest, series.metric.name) ? 0
                                                                                    : *difference);
  }
  const double level = series.pairs.empty() ? 0 : series.pairs.front().base.value;
  standing.threshold = threshold_at(level, policy, series.workload, series.metric.name);
  standing.rule.bounds = bounds_for(standing.threshold, policy);
  standing.rule.better = series.metric.better;
  standing.rule.most_looks = policy.looks;
  standing.series = std::move(series);
  return standing;
}

WorkloadStanding begin_workload(WorkloadSamples samples, const Plan& plan, const Policy& policy) {
  WorkloadStanding standing;
  standing.index = static_cast<std::size_t>(samples.planned - plan.workloads.data());
  standing.samples = std::move(samples);
  standing.not_same_work = why_not_same_work(standing.samples);
  for (MetricSamples& series : series_of(standing.samples, policy)) {
    standing.series.push_back(begin_series(std::move(series), !standing.not_same_work, policy));
  }
  return standing;
}

// No further look can come for this workload, so that the one at the number reached is due. Where a
// side failed, what was not decided before stays undecided.
bool is_last_look_due(const WorkloadStanding& workload, const Standing& standing) {
  if (workload.samples.fate != Fate::paired || workload.looks.pairs.empty()) {
    return false;
  }
  return standing.ended || workload.samples.given_up ||
         static_cast<int>(workload.samples.pairs.size()) >= workload.looks.pairs.back();
}

bool is_exact(const Metric& metric) {
  return metric.unit == "B" || metric.unit == "1";
}

/// How many of the first pairs have one value on both sides. Of bytes and counts alone, if they
/// resolve a quarter of the threshold.
int equal_pairs(const MetricStanding& one) {
  const MetricSamples& series = one.series;
  const double level = series.pairs.empty() ? 0 : series.pairs.front().base.value;
  if (!is_exact(series.metric) || resolution_at(level, series.metric.name) > one.threshold / 4) {
    return 0;
  }
  const auto unequal = std::ranges::find_if(series.pairs, [level](const PairedSample& pair) {
    return pair.base.value != level || pair.head.value != level;
  });
  return static_cast<int>(unequal - series.pairs.begin());
}

/// The noise of earlier runs that measured this series with the same parameters.
void rest_on_earlier(const WorkloadStanding& workload, const Standing& standing,
                     MetricStanding& one) {
  const MetricSamples& series = one.series;
  const double level = series.pairs.empty() ? 0 : series.pairs.front().base.value;
  for (const EarlierNoise& noise : workload.samples.planned->earlier_noise) {
    if (noise.workload == series.workload && noise.params == series.params &&
        noise.metric == series.metric && !series.params_differ) {
      rest_on(noise, resolution_at(level, series.metric.name), *standing.policy, standing.judged,
              one.rule.early);
    }
  }
}

double seconds_of_first(const WorkloadStanding& workload) {
  const std::vector<GoodPair>& pairs = workload.samples.pairs;
  return pair_seconds(std::span(pairs).first(std::min<std::size_t>(pairs.size(), 1)));
}

/// Once m is known, by what the first pairs took: later ones must not move the looks.
void plan_looks(const Policy& policy, Standing& standing) {
  if (!standing.frozen || standing.judged == 0) {
    return;
  }
  double seconds = 0;
  for (const WorkloadStanding& workload : standing.workloads) {
    seconds += seconds_of_first(workload);
  }
  const Looks ordinary = ordinary_looks(policy, standing.judged);
  const bool ends_early =
      !ordinary.pairs.empty() && seconds * ordinary.pairs.front() > policy.budget;
  const Looks dear = looks_of_dear(policy, standing.judged, ends_early);
  for (auto* some : {&standing.workloads, &standing.controls, &standing.audits}) {
    for (WorkloadStanding& workload : *some) {
      workload.looks = seconds_of_first(workload) >= kDearPair ? dear : ordinary;
    }
  }
}

void take_looks(const Standing& standing, const Policy& policy, bool last_look,
                WorkloadStanding& workload) {
  for (MetricStanding& one : workload.series) {
    one.rule.take(workload.looks);
    one.rule.order_alpha =
        kOrderShare * policy.alpha * policy.alpha_share / std::max(standing.judged, 1);
    if (one.under_test && !one.incomparable) {
      const std::vector<PairPlace> places = mapped(one.series.pairs, &PairedSample::place);
      rest_on_earlier(workload, standing, one);
      one.rule.early.equal = equal_pairs(one);
      one.rule.early.one_order = pairs_in_one_order(places);
      one.decision = decide(one.differences, one.rule, last_look, places);
      doubt_clocks(workload.samples, one);
    }
  }
}

bool awaits_first_pair(const WorkloadStanding& workload) {
  return workload.samples.fate == Fate::paired && workload.samples.pairs.empty() &&
         !workload.samples.given_up;
}

bool may_still_show_metrics(const WorkloadStanding& workload) {
  return (workload.samples.fate == Fate::alone && workload.samples.head.empty()) ||
         (workload.is_same() && workload.series.empty());  // the same, without running it
}

}  // namespace

bool WorkloadStanding::open() const {
  return std::ranges::any_of(series, &MetricStanding::open);
}

Standing standing_of(const Plan& plan, const Measurements& measurements, const Policy& policy) {
  Standing standing;
  standing.plan = &plan;
  standing.measurements = &measurements;
  standing.policy = &policy;
  standing.ended = measurements.budget_spent || measurements.interrupted ||
                   measurements.measured >= policy.budget;
  for (const PlannedWorkload& planned : plan.workloads) {
    WorkloadStanding workload =
        begin_workload(samples_of(planned, plan, measurements, standing.ended), plan, policy);
    if (workload.is_same() &&
        (planned.trace_record->audited || planned.trace_record->needed_by_target)) {
      auto& beside = planned.trace_record->audited ? standing.audits : standing.for_targets;
      beside.push_back(begin_workload(audit_samples_of(planned, plan, measurements, standing.ended),
                                      plan, policy));
    }
    if (!planned.control_of.empty()) {
      standing.controls.push_back(std::move(workload));
      continue;
    }
    standing.judged +=
        static_cast<int>(std::ranges::count(workload.series, true, &MetricStanding::under_test));
    standing.workloads.push_back(std::move(workload));
  }
  standing.frozen = standing.ended || std::ranges::none_of(standing.workloads, awaits_first_pair);
  plan_looks(policy, standing);
  for (WorkloadStanding& workload : standing.workloads) {
    take_looks(standing, policy, is_last_look_due(workload, standing), workload);
  }
  for (auto* beside : {&standing.controls, &standing.audits}) {
    for (WorkloadStanding& one : *beside) {
      take_looks(standing, policy, true, one);  // no more pairs will come
    }
  }
  return standing;
}

std::set<std::string> metric_names(const Standing& standing) {
  std::set<std::string> names;
  for (const WorkloadStanding& workload : standing.workloads) {
    for (const MetricStanding& one : workload.series) {
      names.insert(one.series.metric.name);
    }
  }
  return names;
}

void require_named_metrics(const Standing& standing, const Policy& policy) {
  if (policy.metrics.empty() || !standing.frozen ||
      std::ranges::any_of(standing.workloads, may_still_show_metrics)) {
    return;
  }
  std::set<std::string> there = metric_names(standing);
  if (policy.count) {
    there.insert(kInstructions.name);
  }
  require_metrics_among(there, policy);
}

void require_metrics_among(const std::set<std::string>& there, const Policy& policy) {
  for (const std::string& wanted : policy.metrics) {
    if (!there.empty() && !there.contains(wanted)) {
      throw UsageError("no workload measures this metric", "--metric " + wanted,
                       instead_of(wanted, {there.begin(), there.end()}));
    }
  }
}

}  // namespace perf
