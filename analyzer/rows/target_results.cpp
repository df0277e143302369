#include "analyzer/rows/target_results.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "analyzer/samples/same_work.h"
#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

/// A workload of the config, with parameters set or not, and the parameters that the target sets at
/// all: beyond those, both sides have to do the same work.
struct Measured {
  const std::string& workload;
  const Params& set;
  const std::set<std::string>& named;
};

bool contains(const Params& params, const Params& set) {
  return std::ranges::all_of(set, [&params](const auto& wanted) {
    const auto found = params.find(wanted.first);
    return found != params.end() && same_value(found->second, wanted.second);
  });
}

// NAME/KEY-VALUE, as --vary names it.
bool is_variant_of(const PlannedWorkload& planned, const std::string& workload) {
  const Params& params = planned.workload.params;
  return planned.base_params && std::ranges::any_of(params, [&](const auto& param) {
           const auto at_base = planned.base_params->find(param.first);
           return at_base != planned.base_params->end() && at_base->second != param.second &&
                  planned.workload.name.starts_with(workload + "/" + param.first + "-");
         });
}

// The side that ran with these parameters, if one did; head, where both did. `head` and `base` are
// what the runs themselves said of theirs.
std::optional<Side> side_of(const PlannedWorkload& planned, const Params& head,
                            const std::optional<Params>& base, const Params& set) {
  const bool compares_settings = planned.base_params.has_value();
  if (set.empty()) {  // as configured: where settings are compared, no side may be
    return compares_settings ? std::nullopt : std::optional<Side>(Side::head);
  }
  if (contains(head, set) || contains(planned.workload.params, set)) {
    return Side::head;
  }
  const bool at_base =
      compares_settings && ((base && contains(*base, set)) || contains(*planned.base_params, set));
  return at_base ? std::optional<Side>(Side::base) : std::nullopt;
}

Params params_said(const std::vector<const Invocation*>& runs) {
  return runs.empty() || runs.front()->blocks.empty() ? Params{}
                                                      : runs.front()->blocks.front().params;
}

// Where instructions are counted apart (--count), that count is the metric.
bool is_counted(const WorkloadStanding& one, const std::string& metric) {
  return metric == kInstructions.name && !one.samples.counted_head.empty();
}

std::optional<double> counted_median(const WorkloadSamples& samples, const Params& set) {
  const std::optional<Side> side = side_of(*samples.planned, params_said(samples.counted_head),
                                           params_said(samples.counted_base), set);
  if (!side) {
    return std::nullopt;
  }
  std::vector<double> counts =
      instructions_of(*side == Side::head ? samples.counted_head : samples.counted_base);
  return counts.empty() ? std::nullopt : std::optional<double>(median(std::move(counts)));
}

std::optional<double> median_in(const WorkloadStanding& one, const Measured& measured,
                                const std::string& metric) {
  const bool is_fair = measured.set.empty() ||
                       (!one.not_same_work && same_work_but_for(one.samples, measured.named));
  if (one.samples.fate == Fate::failed || !is_fair) {
    return std::nullopt;
  }
  const PlannedWorkload& planned = *one.samples.planned;
  const bool is_variant = is_variant_of(planned, measured.workload);
  if (is_counted(one, metric) && (is_variant || planned.workload.name == measured.workload)) {
    return counted_median(one.samples, measured.set);
  }
  for (const MetricStanding& candidate : one.series) {
    const MetricSamples& series = candidate.series;
    const bool is_it = series.workload == measured.workload ||
                       (is_variant && series.workload == planned.workload.name);
    const std::optional<Side> side =
        side_of(planned, series.params, series.base_params, measured.set);
    const std::vector<Sample>& samples = side == Side::base ? series.base : series.head;
    if (is_it && series.metric.name == metric && side && !samples.empty()) {
      return median(values_of(series, samples));
    }
  }
  return std::nullopt;
}

std::optional<double> median_of(const Standing& standing, const Measured& measured,
                                const std::string& metric) {
  for (const WorkloadStanding& one : standing.workloads) {
    if (const std::optional<double> value = median_in(one, measured, metric)) {
      return value;
    }
  }
  return std::nullopt;
}

bool speaks_of(const Target& target, const std::string& size) {
  return target.size.empty() || target.size == size;
}

// As a whole (the name in the config) or as one of its blocks.
bool ran_at_head(const Standing& standing, const std::string& workload) {
  return std::ranges::any_of(standing.workloads, [&](const WorkloadStanding& one) {
    return one.samples.fate != Fate::failed && !one.samples.head.empty() &&
           (one.samples.planned->workload.name == workload ||
            std::ranges::any_of(one.series, [&](const MetricStanding& series) {
              return series.series.workload == workload && !series.series.head.empty();
            }));
  });
}

bool has_metric(const Standing& standing, const std::string& workload, const std::string& metric) {
  return std::ranges::any_of(standing.workloads, [&](const WorkloadStanding& one) {
    return (is_counted(one, metric) && one.samples.planned->workload.name == workload) ||
           std::ranges::any_of(one.series, [&](const MetricStanding& series) {
             return series.series.workload == workload && series.series.metric.name == metric;
           });
  });
}

std::optional<double> ratio(const std::optional<double>& of, const std::optional<double>& over) {
  return of && over && *over != 0 && std::isfinite(*of / *over) ? std::optional<double>(*of / *over)
                                                                : std::nullopt;
}

std::optional<double> value_of(const Target& target, const Standing& standing) {
  const std::set<std::string> named = keys_of(target.of_set, target.over_set);
  const Measured of{target.of, target.of_set, named}, over{target.over, target.over_set, named};
  if (target.over.empty()) {
    const std::optional<double> value = median_of(standing, of, target.metric);
    return value && std::isfinite(*value) ? value : std::nullopt;
  }
  // Two settings that took turns tell more of each other than of a third.
  for (const WorkloadStanding& one : standing.workloads) {
    if (const std::optional<double> value =
            ratio(median_in(one, of, target.metric), median_in(one, over, target.metric))) {
      return value;
    }
  }
  return ratio(median_of(standing, of, target.metric), median_of(standing, over, target.metric));
}

}  // namespace

std::vector<TargetResult> target_results(const std::vector<Target>& targets,
                                         const Standing& standing, const std::string& size) {
  std::vector<TargetResult> results;
  for (const Target& target : targets) {
    TargetResult result;
    result.target = target;
    if (speaks_of(target, size)) {
      result.value = value_of(target, standing);
    }
    if (result.value) {
      result.met = (!target.at_least || *result.value >= *target.at_least) &&
                   (!target.at_most || *result.value <= *target.at_most);
    }
    results.push_back(result);
  }
  return results;
}

std::vector<Warning> target_warnings(const std::vector<Target>& targets, const Standing& standing,
                                     const std::string& size) {
  std::vector<Warning> warnings;
  for (const Target& target : targets) {
    for (const std::string& workload : std::set<std::string>{target.of, target.over}) {
      if (speaks_of(target, size) && ran_at_head(standing, workload) &&
          !has_metric(standing, workload, target.metric)) {
        warnings.push_back(
            {WarningKind::target_without_metric,
             {},
             {{"target", target.name}, {"workload", workload}, {"metric", target.metric}}});
      }
    }
  }
  return warnings;
}

}  // namespace perf
