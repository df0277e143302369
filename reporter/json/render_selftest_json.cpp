#include <optional>

#include "reporter/json/values.h"
#include "reporter/render.h"
#include "reporter/sentences.h"

namespace perf {

static void fields(JsonWriter& visit, const Plant& record) {
  const bool known = record.way != PlantWay::none && record.amount > 0;
  PERF_FIELDS(kind, way)
  visit("amount", known ? std::optional(record.amount) : std::nullopt);
  visit("unit", std::string(record.kind == PlantKind::allocation ? "B" : "1"));
  visit("period",
        record.way == PlantWay::stop_and_go ? std::optional(record.period) : std::nullopt);
}

static void fields(JsonWriter& visit, const SelftestRow& record) {
  visit("metric", record.metric.name);
  visit("planted", record.plant);
  PERF_FIELDS(workload, expected, verdict, change, interval, threshold, pairs, seconds, outcome)
  visit("why", reporter::why_text(record));
}

static void fields(JsonWriter& visit, const Selftest& record) {
  origin_fields(visit, record);
  visit("alpha", record.policy.alpha);
  visit("planted_thresholds", kPlantedThresholds);
  PERF_FIELDS(runs, revision, environment, size, seed, measured, interrupted, state, rows)
}

std::string render_selftest_json(const Selftest& selftest) {
  return reporter::document_of("selftest", selftest);
}

}  // namespace perf
