#include <array>
#include <string>
#include <utility>
#include <vector>

#include "reporter/json/values.h"
#include "reporter/render.h"

namespace perf {
namespace {

/// What of a comparison a case says, by the names of a report.
constexpr std::array<const char*, 20> kFields{
    "verdict",    "change",   "interval",         "pairs",        "threshold", "look",
    "look_alpha", "p_value",  "smallest_visible", "pairs_needed", "certain",   "notes",
    "warnings",   "workload", "metric",           "unit",         "better",    "judged",
    "base",       "head"};

/// A case is about step_time; of another metric the name stands beside the case's.
std::string name_of(const Comparison& one) {
  return one.metric.name == kStepTime.name ? one.workload : one.workload + " " + one.metric.name;
}

}  // namespace

std::string render_judge_json(const std::vector<Comparison>& cases) {
  Json by_name = Json::object();
  for (const Comparison& one : cases) {
    const Json all = reporter::comparison_json(one);
    Json& said = by_name[name_of(one)];
    for (const char* field : kFields) {
      said[field] = all.at(field);
    }
  }
  return reporter::json_text({{"cases", std::move(by_name)}});
}

}  // namespace perf
