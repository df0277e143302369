#include "analyzer/rows/target_results.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "analyzer/samples/samples.h"
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
// what the runs themselves stated.
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

Params stated_params(const std::vector<const Invocation*>& runs) {
  return runs.empty() || runs.front()->blocks.empty() ? Params{}
                                                      : runs.front()->blocks.front().params;
}

// Where instructions are counted apart (--count), that count is the metric.
bool is_counted(const WorkloadStanding& one, const std::string& metric) {
  return metric == kInstructions.name && !one.samples.counted_head.empty();
}

std::optional<double> counted_median(const WorkloadSamples& samples, const Params& set) {
  const std::optional<Side> side = side_of(*samples.planned, stated_params(samples.counted_head),
                                           stated_params(samples.counted_base), set);
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
    if (is_it && series.metric.name == metric && side && !samples.empty() && !series.too_few) {
      return median(values_of(series, samples));
    }
  }
  return std::nullopt;
}

/// What targets are computed from: all that was measured, without audits.
std::vector<const WorkloadStanding*> measured_in(const Standing& standing) {
  std::vector<const WorkloadStanding*> all;
  for (const auto* some : {&standing.workloads, &standing.for_targets}) {
    for (const WorkloadStanding& one : *some) {
      if (!one.is_same()) {
        all.push_back(&one);
      }
    }
  }
  return all;
}

std::optional<double> median_of(const Standing& standing, const Measured& measured,
                                const std::string& metric) {
  for (const WorkloadStanding* one : measured_in(standing)) {
    if (const std::optional<double> value = median_in(*one, measured, metric)) {
      return value;
    }
  }
  return std::nullopt;
}

bool applies_to(const Target& target, const std::string& size) {
  return target.size.empty() || target.size == size;
}

// As a whole (the name in the config) or as one of its blocks.
bool ran_at_head(const Standing& standing, const std::string& workload) {
  return std::ranges::any_of(measured_in(standing), [&](const WorkloadStanding* one) {
    return one->samples.fate != Fate::failed && !one->samples.head.empty() &&
           (one->samples.planned->workload.name == workload ||
            std::ranges::any_of(one->series, [&](const MetricStanding& series) {
              return series.series.workload == workload && !series.series.head.empty();
            }));
  });
}

bool has_metric(const Standing& standing, const std::string& workload, const std::string& metric) {
  return std::ranges::any_of(measured_in(standing), [&](const WorkloadStanding* one) {
    return (is_counted(*one, metric) && one->samples.planned->workload.name == workload) ||
           std::ranges::any_of(one->series, [&](const MetricStanding& candidate) {
             const MetricSamples& series = candidate.series;
             return series.workload == workload && series.metric.name == metric &&
                    (!series.head.empty() || series.base_params);
           });
  });
}

/// The facts of a target that the runs of its workloads report, on the sides that it
/// may be about. Where one reports it otherwise, that; a peer's side need not report it at all.
std::map<std::string, std::string> reported(const Target& target, const Standing& standing) {
  std::map<std::string, std::string> facts;
  const auto add = [&](const std::vector<const Invocation*>& runs) {
    for (const auto& [name, value] : stated_by(runs).facts) {
      const auto wanted = target.when.find(name);
      if (wanted != target.when.end() && (value != wanted->second || !facts.contains(name))) {
        facts[name] = value;
      }
    }
  };
  for (const std::string& workload : {target.of, target.over}) {
    for (const WorkloadStanding* one : measured_in(standing)) {
      const std::string& name = one->samples.planned->workload.name;
      if (workload == name || workload.starts_with(name + "/") ||
          name.starts_with(workload + "/")) {
        add(one->samples.head);
        add(one->samples.counted_head);
        if (one->samples.planned->base_params) {
          add(one->samples.base);
          add(one->samples.counted_base);
        }
      }
    }
  }
  return facts;
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
  // Two settings that took turns are compared more precisely with each other than with a third.
  for (const WorkloadStanding* one : measured_in(standing)) {
    if (const std::optional<double> value =
            ratio(median_in(*one, of, target.metric), median_in(*one, over, target.metric))) {
      return value;
    }
  }
  return ratio(median_of(standing, of, target.metric), median_of(standing, over, target.metric));
}

/// What a target is about, as far as the plan has it.
std::set<std::size_t> entries_here(const Target& target, const Plan& plan) {
  std::set<std::size_t> entries;
  for (const std::string& name : {target.of, target.over.empty() ? target.of : target.over}) {
    if (const std::optional<std::size_t> entry = workload_of(name, plan)) {
      entries.insert(*entry);
    }
  }
  return entries;
}

/// What a target is about; nothing where the plan lacks some of it.
std::optional<std::set<std::size_t>> entries_of(const Target& target, const Plan& plan) {
  const bool has_over = target.over.empty() || workload_of(target.over, plan);
  return workload_of(target.of, plan) && has_over ? std::optional(entries_here(target, plan))
                                                  : std::nullopt;
}

bool asks_the_same(const Target& target, Target before) {
  before.name = target.name;
  before.size = target.size;
  before.at_least = target.at_least;
  before.at_most = target.at_most;
  return before == target;
}

/// Whether the head of `before` was what base runs of this workload now.
bool was_of_base(const PlannedWorkload& now, const Plan& plan, const Plan& before) {
  const Workload& workload = now.workload;
  const auto then = std::ranges::find_if(before.workloads, [&](const PlannedWorkload& one) {
    return one.workload.name == workload.name && one.workload.params == workload.params &&
           way_of_running(one.workload) == way_of_running(workload) &&
           one.workload.outside == workload.outside && !one.base_params;
  });
  if (then == before.workloads.end()) {
    return false;
  }
  return before.head.oid == plan.base->oid ||
         (before.base && before.base->oid == plan.base->oid && runs_the_same(*then));
}

}  // namespace

void check_bounds(TargetResult& result) {
  const Target& target = result.target;
  if (result.value) {
    result.met = (!target.at_least || *result.value >= *target.at_least) &&
                 (!target.at_most || *result.value <= *target.at_most);
  }
}

std::vector<TargetResult> known_targets(const std::vector<Target>& targets, const Plan& plan,
                                        const std::vector<EarlierTargets>& told) {
  std::vector<TargetResult> known;
  for (const Target& target : targets) {
    const auto entries = entries_of(target, plan);
    if (!plan.base || !entries || !applies_to(target, plan.size) ||
        !std::ranges::all_of(*entries,
                             [&](std::size_t i) { return runs_the_same(plan.workloads[i]); })) {
      continue;
    }
    for (const EarlierTargets& before : told) {
      const auto result = std::ranges::find_if(before.targets, [&](const TargetResult& one) {
        return (one.value || !one.found.empty()) && asks_the_same(target, one.target);
      });
      if (result != before.targets.end() && std::ranges::all_of(*entries, [&](std::size_t i) {
            return was_of_base(plan.workloads[i], plan, before.plan);
          })) {
        known.push_back({target, result->value, {}, result->measured_at, result->found});
        if (known.back().measured_at.empty()) {
          known.back().measured_at = before.generated_at;
        }
        check_bounds(known.back());
        break;
      }
    }
  }
  return known;
}

std::set<std::size_t> workloads_for_targets(const Plan& plan, const std::vector<Target>& targets,
                                            const std::vector<TargetResult>& known) {
  std::set<std::size_t> needed;
  for (const Target& target : targets) {
    const auto entries =
        plan.shard ? std::optional(entries_here(target, plan)) : entries_of(target, plan);
    if (entries && applies_to(target, plan.size) &&
        std::ranges::find(known, target, &TargetResult::target) == known.end()) {
      std::ranges::copy_if(*entries, std::inserter(needed, needed.end()),
                           [&plan](std::size_t i) { return runs_the_same(plan.workloads[i]); });
    }
  }
  return needed;
}

std::vector<TargetResult> target_results(const std::vector<Target>& targets,
                                         const Standing& standing, const std::string& size) {
  std::vector<TargetResult> results;
  for (const Target& target : targets) {
    TargetResult result;
    result.target = target;
    if (applies_to(target, size)) {
      result.found = reported(target, standing);
      const bool all_reported = result.found.size() == target.when.size();
      std::erase_if(result.found,
                    [&](const auto& fact) { return fact.second == target.when.at(fact.first); });
      if (result.found.empty() && all_reported) {
        result.value = value_of(target, standing);
      }
    }
    check_bounds(result);
    results.push_back(result);
  }
  return results;
}

std::vector<Warning> target_warnings(const std::vector<Target>& targets, const Standing& standing,
                                     const std::string& size) {
  std::vector<Warning> warnings;
  for (const Target& target : targets) {
    if (!applies_to(target, size)) {
      continue;
    }
    for (const std::string& workload : std::set<std::string>{target.of, target.over}) {
      if (ran_at_head(standing, workload) && !has_metric(standing, workload, target.metric)) {
        warnings.push_back(
            {WarningKind::target_without_metric,
             {},
             {{"target", target.name}, {"workload", workload}, {"metric", target.metric}}});
      }
    }
    if (target.when.empty() || !value_of(target, standing)) {
      continue;
    }
    const std::map<std::string, std::string> facts = reported(target, standing);
    for (const auto& [fact, value] : target.when) {
      if (!facts.contains(fact)) {
        warnings.push_back({WarningKind::target_without_fact,
                            {},
                            {{"target", target.name}, {"workload", target.of}, {"fact", fact}}});
      }
    }
  }
  return warnings;
}

}  // namespace perf
