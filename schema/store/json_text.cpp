#include "schema/store/json_text.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "schema/error.h"
#include "schema/store/stored_json.h"

namespace perf::store {
namespace {

/// JSON has no NaN, and a null in its place would read as "unknown".
double finite(double value, const std::string& what) {
  if (!std::isfinite(value)) {
    throw Error("a number that is not finite cannot be stored", what,
                "report it: readers must refuse NaN and infinities before");
  }
  return value;
}

Json maybe(const std::optional<bool>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const Params& params) {
  Json json = Json::object();
  for (const auto& [name, param] : params) {
    if (const double* number = std::get_if<double>(&param)) {
      finite(*number, "parameter " + name);
    }
    std::visit([&json, &key = name](const auto& value) { json[key] = value; }, param);
  }
  return json;
}

template <typename Value>
std::vector<Value> list_from_json(std::string_view text, bool (Json::*is_value)() const noexcept) {
  std::vector<Value> values;
  for (const Json& one : parsed_as(text, &Json::is_array)) {
    if (!(one.*is_value)()) {
      throw_damaged(text);
    }
    values.push_back(one.get<Value>());
  }
  return values;
}

}  // namespace

std::string to_json(const Params& params) {
  return text_of(json_of(params));
}

std::string to_json(const std::map<std::string, std::string>& facts) {
  return text_of(Json(facts));
}

std::string to_json(const std::vector<std::string>& lines) {
  return text_of(Json(lines));
}

std::string to_json(const std::vector<double>& numbers) {
  Json json = Json::array();
  for (const double number : numbers) {
    json.push_back(finite(number, "a list of numbers"));
  }
  return text_of(json);
}

std::string to_json(const std::map<std::string, std::map<std::string, std::string>>& facts) {
  return text_of(Json(facts));
}

std::string to_json(const Policy& policy) {
  Json thresholds = Json::array();
  for (const ThresholdRule& rule : policy.thresholds) {
    thresholds.push_back({{"workload_glob", rule.workload_glob},
                          {"metric", rule.metric},
                          {"threshold", finite(rule.threshold, "threshold")},
                          {"except", rule.except}});
  }
  const auto number = [](double value) { return finite(value, "policy"); };
  return text_of({{"threshold", number(policy.threshold)},
                  {"alpha", number(policy.alpha)},
                  {"looks", policy.looks},
                  {"look_growth", number(policy.look_growth)},
                  {"significance_share", number(policy.significance_share)},
                  {"budget", number(policy.budget)},
                  {"min_pairs", policy.min_pairs},
                  {"max_pairs", policy.max_pairs},
                  {"pilot_pairs", policy.pilot_pairs},
                  {"warmup_steps", policy.warmup_steps},
                  {"initial_steps", policy.initial_steps},
                  {"min_steps", policy.min_steps},
                  {"max_steps", policy.max_steps},
                  {"invocation_cap", number(policy.invocation_cap)},
                  {"new_invocations", policy.new_invocations},
                  {"noisy_cov", number(policy.noisy_cov)},
                  {"warning_alpha", number(policy.warning_alpha)},
                  {"warning_share", number(policy.warning_share)},
                  {"steal_share", number(policy.steal_share)},
                  {"pressure_share", number(policy.pressure_share)},
                  {"control", policy.control},
                  {"count", policy.count},
                  {"counted_invocations", policy.counted_invocations},
                  {"thresholds", thresholds},
                  {"threshold_override", policy.threshold_override},
                  {"metrics", policy.metrics}});
}

std::string to_json(const std::vector<PhaseChange>& phases) {
  Json json = Json::array();
  for (const PhaseChange& phase : phases) {
    json.push_back({{"name", phase.name},
                    {"change", derived(phase.change)},
                    {"base", derived(phase.base)},
                    {"head", derived(phase.head)},
                    {"interval", interval_json(phase.interval)},
                    {"moved", phase.moved},
                    {"share", derived(phase.share)}});
  }
  return text_of(json);
}

std::string to_json(const std::vector<CheckResult>& checks) {
  Json json = Json::array();
  for (const CheckResult& check : checks) {
    json.push_back({{"name", check.name},
                    {"base", maybe(check.base)},
                    {"head", maybe(check.head)},
                    {"base_failed", check.base_failed},
                    {"base_runs", check.base_runs},
                    {"head_failed", check.head_failed},
                    {"head_runs", check.head_runs},
                    {"new_failure", maybe(check.new_failure)},
                    {"error", derived(check.error)},
                    {"tolerance", derived(check.tolerance)}});
  }
  return text_of(json);
}

std::string to_json(const std::vector<TargetResult>& targets) {
  Json json = Json::array();
  for (const TargetResult& result : targets) {
    json.push_back({{"name", result.target.name},
                    {"metric", result.target.metric},
                    {"of", result.target.of},
                    {"over", result.target.over},
                    {"of_set", json_of(result.target.of_set)},
                    {"over_set", json_of(result.target.over_set)},
                    {"at_least", derived(result.target.at_least)},
                    {"at_most", derived(result.target.at_most)},
                    {"size", result.target.size},
                    {"value", derived(result.value)},
                    {"met", maybe(result.met)}});
  }
  return text_of(json);
}

Params params_from_json(std::string_view text) {
  Params params;
  const Json json = parsed_as(text, &Json::is_object);
  for (const auto& [name, value] : json.items()) {
    if (value.is_boolean()) {
      params[name] = value.get<bool>();
    } else if (value.is_number_integer()) {
      params[name] = value.get<std::int64_t>();
    } else if (value.is_number_float()) {
      params[name] = value.get<double>();
    } else if (value.is_string()) {
      params[name] = value.get<std::string>();
    } else {
      throw Error("the store holds a parameter of an unknown kind", name,
                  "it was not written by this program; do not use it");
    }
  }
  return params;
}

std::map<std::string, std::string> facts_from_json(std::string_view text) {
  std::map<std::string, std::string> facts;
  const Json json = parsed_as(text, &Json::is_object);
  for (const auto& [name, value] : json.items()) {
    if (!value.is_string()) {
      throw Error("the store holds a fact that is no text", name,
                  "it was not written by this program; do not use it");
    }
    facts[name] = value.get<std::string>();
  }
  return facts;
}

std::vector<std::string> lines_from_json(std::string_view text) {
  return list_from_json<std::string>(text, &Json::is_string);
}

std::vector<double> numbers_from_json(std::string_view text) {
  return list_from_json<double>(text, &Json::is_number);
}

}  // namespace perf::store
