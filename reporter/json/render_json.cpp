#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reporter/escape/visible.h"
#include "reporter/json/values.h"
#include "reporter/render.h"

namespace perf {

// Documents that are more than the fields of a record.

static void fields(JsonWriter& visit, const SkippedCommit& record) {
  PERF_FIELDS(revision, reason)
}

static void fields(JsonWriter& visit, const VisitedCommit& record) {
  PERF_FIELDS(revision, pairs, change, interval)
  visit("probability_bad", record.probability);
  visit.or_null("same_as", record.same_as);
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

std::string render_json(const Report& report) {
  return reporter::json_text(reporter::report_json(report));
}

std::string render_calibration_json(const Calibration& calibration) {
  Json json = json_of(calibration);
  json["schema"] = "perf-compare/calibration/1";
  json["warning_details"] = json_of(calibration.warnings);
  reporter::add_sentences(json, calibration.warnings);
  return reporter::json_text(json);
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

/// Whether it is one that readers of JSON hold exactly.
static bool is_integer(double value) {
  constexpr double kExact = 9007199254740992;  // 2^53
  return value == std::floor(value) && std::abs(value) <= kExact;
}

std::string render_detection_json(const std::vector<DetectedSeries>& series) {
  std::map<std::string, Json> by_name;
  for (const DetectedSeries& one : series) {
    Json& steps = by_name[one.name] = Json::array();
    for (const double step : one.steps) {
      steps.push_back(is_integer(step) ? Json(static_cast<std::int64_t>(step)) : Json(step));
    }
  }
  std::string text = "{";
  for (const auto& [name, steps] : by_name) {
    text += text.size() == 1 ? "\n  " : ",\n  ";
    text += one_line_of(name) + ": " + one_line_of(steps);
  }
  return reporter::escape_unseen(text) + (by_name.empty() ? "}\n" : "\n}\n");
}

}  // namespace perf
