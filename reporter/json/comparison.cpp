#include <string>
#include <utility>
#include <variant>

#include "reporter/json/records.h"

namespace perf::reporter {

Json json_of(const Params& params) {
  Json json = Json::object();
  for (const auto& [name, value] : params) {
    if (const double* real = std::get_if<double>(&value)) {
      json[name] = json_number(*real);
    } else {
      std::visit([&json, &name = name](const auto& held) { json[name] = held; }, value);
    }
  }
  return json;
}

namespace {

Json side_json(const std::optional<SideStats>& side) {
  if (!side) {
    return nullptr;
  }
  return {{"median", json_number(side->median)},
          {"p90", json_number(side->p90)},
          {"mean", json_number(side->mean)},
          {"stddev", json_number(side->stddev)},
          {"min", json_number(side->min)},
          {"max", json_number(side->max)},
          {"cov", json_number(side->cov)},
          {"invocations", side->invocations},
          {"steps", side->steps}};
}

Json phases_json(const std::vector<PhaseChange>& phases) {
  Json json = Json::array();
  for (const PhaseChange& phase : phases) {
    json.push_back({{"name", phase.name},
                    {"change", json_number(phase.change)},
                    {"base", json_number(phase.base)},
                    {"head", json_number(phase.head)},
                    {"interval", reporter::json_of(phase.interval)},
                    {"moved", phase.moved},
                    {"share", json_number(phase.share)}});
  }
  return json;
}

Json checks_json(const std::vector<CheckResult>& checks) {
  const auto passed = [](const std::optional<bool>& side) {
    return side ? Json(*side) : Json(nullptr);
  };
  Json json = Json::array();
  for (const CheckResult& check : checks) {
    json.push_back({{"name", check.name},
                    {"base", passed(check.base)},
                    {"head", passed(check.head)},
                    {"base_failed", check.base_failed},
                    {"base_runs", check.base_runs},
                    {"head_failed", check.head_failed},
                    {"head_runs", check.head_runs},
                    {"new_failure", newly_fails(check)},
                    {"error", json_number(check.error)},
                    {"tolerance", json_number(check.tolerance)}});
  }
  return json;
}

}  // namespace

Json json_of(const Comparison& comparison) {
  Json pairs = Json::array();
  for (const double change : comparison.pair_changes) {
    pairs.push_back(json_number(change));
  }
  const bool lower = comparison.metric.better == Better::lower;
  return {
      {"workload", comparison.workload},
      {"params", json_of(comparison.params)},
      {"base_params", comparison.base_params ? json_of(*comparison.base_params) : Json(nullptr)},
      {"metric", comparison.metric.name},
      {"unit", comparison.metric.unit},
      {"better", lower ? "lower" : "higher"},
      {"base", side_json(comparison.base)},
      {"head", side_json(comparison.head)},
      {"judged", comparison.judged},
      {"change", json_number(comparison.change)},
      {"interval", json_of(comparison.interval)},
      {"threshold", json_number(comparison.threshold)},
      {"smallest_visible", json_number(comparison.smallest_visible)},
      {"pairs", comparison.pairs},
      {"look", comparison.look},
      {"look_alpha", json_number(comparison.look_alpha)},
      {"pairs_needed", json_number(comparison.pairs_needed)},
      {"verdict", comparison.judged ? json_of(comparison.verdict) : Json(nullptr)},
      {"certain", comparison.certain},
      {"exact", comparison.exact},
      {"p_value", json_number(comparison.p_value)},
      {"pair_changes", std::move(pairs)},
      {"phases", phases_json(comparison.phases)},
      {"warmup", json_of(comparison.warmup)},
      {"functions", json_of(comparison.functions)},
      {"layout", json_of(comparison.layout)},
      {"checks", checks_json(comparison.checks)},
      {"notes", comparison.notes},
      {"warnings", warning_texts(comparison.warnings)},
      {"warning_details", warning_details(comparison.warnings)}};
}

}  // namespace perf::reporter
