#include <utility>

#include "reporter/json/values.h"
#include "reporter/render.h"

namespace perf {

static void fields(JsonWriter& visit, const SkippedCommit& record) {
  PERF_FIELDS(revision, reason)
}

static void fields(JsonWriter& visit, const VisitedCommit& record) {
  PERF_FIELDS(revision, pairs, change, interval)
  visit("probability_bad", record.probability);
}

static void fields(JsonWriter& visit, const Bisection& record) {
  PERF_FIELDS(id, good, bad, commits, workload, params, size, seed, threshold, answer, candidates,
              probability, certain, visited, skipped, pairs, measured, interrupted, budget_spent,
              reproduce)
  fields(visit, record.metric);
  origin_fields(visit, record);
  // What is likeliest so far, or was not confirmed, is no answer.
  const bool found = record.answer == BisectionAnswer::found;
  visit("first_bad", found ? record.first_bad : std::nullopt);
  visit("last_good", found ? record.last_good : std::nullopt);
  visit("likeliest", record.first_bad);
  visit.within("ends", [&](JsonWriter& ends) {
    ends("pairs", record.end_pairs);
    ends("change", record.end_change);
    ends("interval", record.end_interval);
  });
}

std::string render_bisection_json(const Bisection& bisection) {
  Json json = json_of(bisection);
  json["schema"] = "perf-compare/bisect/1";
  json["comparison"] =
      bisection.comparison ? reporter::report_json(*bisection.comparison) : Json(nullptr);
  if (!bisection.first_bad) {
    json["probability"] = nullptr;
    for (Json& visited : json["visited"]) {
      visited["probability_bad"] = nullptr;
    }
  }
  return reporter::json_text(json);
}

}  // namespace perf
