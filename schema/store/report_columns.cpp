#include "schema/store/report_columns.h"

#include "schema/store/json_text.h"
#include "schema/store/stored_json.h"

namespace perf::store {
namespace {

constexpr int kMostLooks = 1000;

std::vector<std::string> texts_in(const Json& object, const char* key) {
  std::vector<std::string> texts;
  for (const Json& text : member(object, key, &Json::is_array)) {
    if (!text.is_string()) {
      throw_damaged(key);
    }
    texts.push_back(text.get<std::string>());
  }
  return texts;
}

Params params_in(const Json& object, const char* key) {
  const Json& params = member(object, key);
  return params.is_null() ? Params{} : params_from_json(text_of(params));
}

}  // namespace

Policy policy_from_json(std::string_view text) {
  const Json json = parsed_as(text, &Json::is_object);
  Policy policy;
  // What a version did not know it did not do: absent members keep their default.
  const auto number = [&json](const char* key, double& value) {
    value = maybe_number_in(json, key).value_or(value);
  };
  const auto count = [&json](const char* key, int& value) {
    value = member(json, key).is_null() ? value : count_in(json, key);
  };
  const auto flag = [&json](const char* key, bool& value) {
    value = maybe_flag_in(json, key).value_or(value);
  };
  number("threshold", policy.threshold);
  number("alpha", policy.alpha);
  count("looks", policy.looks);
  number("look_growth", policy.look_growth);
  number("significance_share", policy.significance_share);
  number("budget", policy.budget);
  count("min_pairs", policy.min_pairs);
  count("max_pairs", policy.max_pairs);
  count("pilot_pairs", policy.pilot_pairs);
  count("warmup_steps", policy.warmup_steps);
  count("initial_steps", policy.initial_steps);
  count("min_steps", policy.min_steps);
  count("max_steps", policy.max_steps);
  number("invocation_cap", policy.invocation_cap);
  count("new_invocations", policy.new_invocations);
  number("noisy_cov", policy.noisy_cov);
  number("warning_alpha", policy.warning_alpha);
  number("warning_share", policy.warning_share);
  number("steal_share", policy.steal_share);
  number("pressure_share", policy.pressure_share);
  flag("control", policy.control);
  flag("count", policy.count);
  count("counted_invocations", policy.counted_invocations);
  flag("threshold_override", policy.threshold_override);
  if (!member(json, "metrics").is_null()) {
    policy.metrics = texts_in(json, "metrics");
  }
  if (!member(json, "thresholds").is_null()) {
    for (const Json& rule : member(json, "thresholds", &Json::is_array)) {
      policy.thresholds.push_back({text_in(rule, "workload_glob"), text_in(rule, "metric"),
                                   number_in(rule, "threshold"),
                                   member(rule, "except").is_null() ? std::vector<std::string>{}
                                                                    : texts_in(rule, "except")});
    }
  }
  // The tables hold their own columns to this.
  if (policy.looks < 1 || policy.looks > kMostLooks || !(policy.alpha >= 0 && policy.alpha <= 1)) {
    throw_damaged(text);
  }
  return policy;
}

std::vector<PhaseChange> phases_from_json(std::string_view text) {
  std::vector<PhaseChange> phases;
  for (const Json& json : parsed_as(text, &Json::is_array)) {
    phases.push_back({text_in(json, "name"), maybe_number_in(json, "change"),
                      statistic_in(json, "base"), statistic_in(json, "head"),
                      interval_in(json, "interval"), flag_in(json, "moved"),
                      maybe_number_in(json, "share")});
  }
  return phases;
}

std::vector<CheckResult> checks_from_json(std::string_view text) {
  std::vector<CheckResult> checks;
  for (const Json& json : parsed_as(text, &Json::is_array)) {
    const auto count = [&json](const char* key) {
      return member(json, key).is_null() ? 0 : count_in(json, key);
    };
    checks.push_back({text_in(json, "name"), maybe_flag_in(json, "base"),
                      maybe_flag_in(json, "head"), maybe_number_in(json, "error"),
                      maybe_number_in(json, "tolerance"), count("base_failed"), count("base_runs"),
                      count("head_failed"), count("head_runs"),
                      maybe_flag_in(json, "new_failure")});
  }
  return checks;
}

std::vector<TargetResult> targets_from_json(std::string_view text) {
  std::vector<TargetResult> targets;
  for (const Json& json : parsed_as(text, &Json::is_array)) {
    TargetResult result;
    result.target.name = text_in(json, "name");
    result.target.metric = text_in(json, "metric");
    result.target.of = text_in(json, "of");
    result.target.over = text_in(json, "over");
    result.target.at_least = maybe_number_in(json, "at_least");
    result.target.at_most = maybe_number_in(json, "at_most");
    result.target.size = member(json, "size").is_null() ? std::string() : text_in(json, "size");
    result.target.of_set = params_in(json, "of_set");
    result.target.over_set = params_in(json, "over_set");
    result.value = maybe_number_in(json, "value");
    result.met = maybe_flag_in(json, "met");
    targets.push_back(std::move(result));
  }
  return targets;
}

std::map<std::string, std::map<std::string, std::string>> workload_facts_from_json(
    std::string_view text) {
  std::map<std::string, std::map<std::string, std::string>> facts;
  const Json json = parsed_as(text, &Json::is_object);
  for (const auto& [workload, of_one] : json.items()) {
    facts[workload] = facts_from_json(text_of(of_one));
  }
  return facts;
}

}  // namespace perf::store
