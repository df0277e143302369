#include "reporter/json/records.h"

#include <string>
#include <utility>

namespace perf::reporter {

Json json_of(const Revision& revision) {
  return {{"name", revision.name},
          {"rule", revision.rule},
          {"oid", revision.oid},
          {"parents", revision.parents},
          {"author", revision.author},
          {"subject", revision.subject},
          {"committed_at", json_time(revision.committed_at)},
          {"dirty", revision.dirty}};
}

Json json_of(const std::optional<Revision>& revision) {
  return revision ? json_of(*revision) : Json(nullptr);
}

Json json_of(const std::optional<Interval>& interval) {
  if (!interval || !std::isfinite(interval->low) || !std::isfinite(interval->high)) {
    return nullptr;
  }
  return Json::array({interval->low, interval->high});
}

Json json_of(const std::optional<Verdict>& verdict) {
  return verdict ? Json(std::string(to_string(*verdict))) : Json(nullptr);
}

Json json_of(const Summary& summary) {
  Json json = {{"verdict", to_string(summary.verdict)}};
  for (const Verdict verdict : kVerdicts) {
    const auto found = summary.counts.find(verdict);
    json[std::string(to_string(verdict))] = found == summary.counts.end() ? 0 : found->second;
  }
  return json;
}

Json json_of(const TargetResult& result) {
  const Target& target = result.target;
  return {{"name", target.name},
          {"metric", target.metric},
          {"of", target.of},
          {"over", target.over.empty() ? Json(nullptr) : Json(target.over)},
          {"of_set", json_of(target.of_set)},
          {"over_set", json_of(target.over_set)},
          {"at_least", json_number(target.at_least)},
          {"at_most", json_number(target.at_most)},
          {"size", target.size.empty() ? Json(nullptr) : Json(target.size)},
          {"value", json_number(result.value)},
          {"met", result.met ? Json(*result.met) : Json(nullptr)}};
}

Json json_of(const ControlResult& control) {
  return {{"workload", control.workload},
          {"metric", control.metric.name},
          {"change", json_number(control.change)},
          {"interval", json_of(control.interval)},
          {"pairs", control.pairs},
          {"alarmed", control.alarmed}};
}

Json json_of(const Policy& policy) {
  Json thresholds = Json::array();
  for (const ThresholdRule& rule : policy.thresholds) {
    thresholds.push_back({{"workload", rule.workload_glob},
                          {"metric", rule.metric},
                          {"threshold", json_number(rule.threshold)},
                          {"except", rule.except}});
  }
  return {{"threshold", json_number(policy.threshold)},
          {"alpha", json_number(policy.alpha)},
          {"looks", policy.looks},
          {"look_growth", json_number(policy.look_growth)},
          {"significance_share", json_number(policy.significance_share)},
          {"budget", json_number(policy.budget)},
          {"min_pairs", policy.min_pairs},
          {"max_pairs", policy.max_pairs},
          {"pilot_pairs", policy.pilot_pairs},
          {"warmup_steps", policy.warmup_steps},
          {"initial_steps", policy.initial_steps},
          {"min_steps", policy.min_steps},
          {"max_steps", policy.max_steps},
          {"invocation_cap", json_number(policy.invocation_cap)},
          {"new_invocations", policy.new_invocations},
          {"noisy_cov", json_number(policy.noisy_cov)},
          {"warning_alpha", json_number(policy.warning_alpha)},
          {"warning_share", json_number(policy.warning_share)},
          {"steal_share", json_number(policy.steal_share)},
          {"pressure_share", json_number(policy.pressure_share)},
          {"thresholds", std::move(thresholds)},
          {"threshold_override", policy.threshold_override},
          {"metrics", policy.metrics}};
}

}  // namespace perf::reporter
