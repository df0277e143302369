#include <string>
#include <utility>
#include <vector>

#include "reporter/json/records.h"
#include "reporter/render.h"

namespace perf {
namespace {

using reporter::Json;
using reporter::json_of;

template <typename Record>
Json json_list(const std::vector<Record>& records) {
  Json list = Json::array();
  for (const Record& record : records) {
    list.push_back(json_of(record));
  }
  return list;
}

/// What the machine is, and, apart, what the workloads brought themselves.
Json environment_json(const Report& report) {
  return {{"fingerprint", report.environment.fingerprint},
          {"machine", report.environment.machine},
          {"facts", report.environment.facts},
          {"workloads", report.workload_facts}};
}

}  // namespace

Json reporter::json_of(const Report& report) {
  const bool dated = !report.generated_at.empty();
  return {{"schema", "perf-compare/report/1"},
          {"id", report.id},
          {"generated_at", dated ? Json(report.generated_at) : Json(nullptr)},
          {"tool", {{"version", report.tool_version}}},
          {"base", json_of(report.base)},
          {"head", json_of(report.head)},
          {"environment", environment_json(report)},
          {"config", {{"source", report.config_source}}},
          {"policy", json_of(report.policy)},
          {"size", report.size},
          {"seed", report.seed},
          {"judged", report.judged},
          {"measured", json_number(report.measured)},
          {"interrupted", report.interrupted},
          {"budget_spent", report.budget_spent},
          {"nothing_ran", report.nothing_ran},
          {"summary", json_of(report.summary)},
          {"comparisons", json_list(report.comparisons)},
          {"targets", json_list(report.targets)},
          {"families", json_list(report.families)},
          {"trade_offs", json_list(report.trade_offs)},
          {"controls", json_list(report.controls)},
          {"warnings", reporter::warning_texts(report.warnings)},
          {"warning_details", reporter::warning_details(report.warnings)},
          {"reproduce", report.reproduce}};
}

std::string render_json(const Report& report) {
  return reporter::json_text(json_of(report));
}

}  // namespace perf
