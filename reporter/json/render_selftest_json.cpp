#include <string>
#include <utility>

#include "reporter/json/records.h"
#include "reporter/render.h"

namespace perf {
namespace {

using reporter::Json;
using reporter::json_number;
using reporter::json_of;

Json plant_json(const Plant& plant) {
  const bool known = plant.way != PlantWay::none && plant.amount > 0;
  return {
      {"kind", to_string(plant.kind)},
      {"way", to_string(plant.way)},
      {"amount", known ? json_number(plant.amount) : Json(nullptr)},
      {"unit", plant.kind == PlantKind::allocation ? "B" : "1"},
      {"period", plant.way == PlantWay::stop_and_go ? json_number(plant.period) : Json(nullptr)}};
}

Json row_json(const SelftestRow& row) {
  return {{"workload", row.workload},
          {"metric", row.metric.name},
          {"planted", plant_json(row.plant)},
          {"expected", to_string(row.expected)},
          {"verdict", json_of(row.verdict)},
          {"change", json_number(row.change)},
          {"interval", json_of(row.interval)},
          {"threshold", json_number(row.threshold)},
          {"pairs", row.pairs},
          {"seconds", json_number(row.seconds)},
          {"outcome", to_string(row.outcome)},
          {"why", row.why}};
}

}  // namespace

std::string render_selftest_json(const Selftest& selftest) {
  Json rows = Json::array();
  for (const SelftestRow& row : selftest.rows) {
    rows.push_back(row_json(row));
  }
  const Environment& environment = selftest.environment;
  const bool dated = !selftest.generated_at.empty();
  return reporter::json_text({{"schema", "perf-compare/selftest/1"},
                              {"runs", selftest.runs},
                              {"generated_at", dated ? Json(selftest.generated_at) : Json(nullptr)},
                              {"tool", {{"version", selftest.tool_version}}},
                              {"revision", json_of(selftest.revision)},
                              {"environment",
                               {{"fingerprint", environment.fingerprint},
                                {"machine", environment.machine},
                                {"facts", environment.facts}}},
                              {"size", selftest.size},
                              {"seed", selftest.seed},
                              {"alpha", json_number(selftest.policy.alpha)},
                              {"planted_thresholds", kPlantedThresholds},
                              {"measured", json_number(selftest.measured)},
                              {"interrupted", selftest.interrupted},
                              {"state", to_string(selftest.state)},
                              {"rows", std::move(rows)}});
}

}  // namespace perf
