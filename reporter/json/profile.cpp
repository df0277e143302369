#include <string>
#include <utility>
#include <vector>

#include "reporter/json/records.h"
#include "reporter/render.h"

namespace perf {
namespace reporter {
namespace {

Json function_json(const HotFunction& function) {
  return {{"symbol", function.symbol},
          {"name", function.name},
          {"object", function.object},
          {"share", json_number(function.share)}};
}

Json profile_json(const Profile& profile) {
  Json functions = Json::array();
  for (const HotFunction& function : profile.functions) {
    functions.push_back(function_json(function));
  }
  return {{"samples", profile.samples},
          {"step_time", json_number(profile.step_time)},
          {"problem", profile.problem.empty() ? Json(nullptr) : Json(profile.problem)},
          {"functions", std::move(functions)}};
}

}  // namespace

Json json_of(const std::vector<FunctionChange>& functions) {
  Json json = Json::array();
  for (const FunctionChange& function : functions) {
    json.push_back({{"symbol", function.symbol},
                    {"name", function.name},
                    {"object", function.object},
                    {"base_share", json_number(function.base_share)},
                    {"head_share", json_number(function.head_share)},
                    {"base_seconds", json_number(function.base_seconds)},
                    {"head_seconds", json_number(function.head_seconds)}});
  }
  return json;
}

Json json_of(const std::optional<LayoutEffect>& layout) {
  if (!layout) {
    return nullptr;
  }
  return {{"label", layout->label},
          {"change", json_number(layout->change)},
          {"interval", json_of(layout->interval)},
          {"builds", layout->builds}};
}

}  // namespace reporter

std::string render_profile_json(const ProfileReport& report) {
  using reporter::Json;
  Json workloads = Json::array();
  for (const WorkloadProfile& one : report.workloads) {
    workloads.push_back({{"workload", one.workload},
                         {"base", one.base ? reporter::profile_json(*one.base) : Json(nullptr)},
                         {"head", reporter::profile_json(one.head)},
                         {"changes", reporter::json_of(one.changes)}});
  }
  return reporter::json_text({{"schema", "perf-compare/profile/1"},
                              {"base", reporter::json_of(report.base)},
                              {"head", reporter::json_of(report.head)},
                              {"workloads", std::move(workloads)}});
}

}  // namespace perf
