#include "reporter/json/values.h"

#include <cstddef>

#include "reporter/comparison/report_sections.h"
#include "reporter/escape/visible.h"
#include "reporter/text/sentences.h"
#include "reporter/text/wording.h"

namespace perf::reporter {
namespace {

void add_for_readers(Json& json, const Comparison& row) {
  if (!row.judged) {
    json["verdict"] = nullptr;
  }
  for (std::size_t i = 0; i < row.checks.size(); ++i) {
    json["checks"][i]["new_failure"] = newly_fails(row.checks[i]);
  }
  add_sentences(json, row.notes, "note");
  add_sentences(json, row.warnings);
}

/// Each row by a name of its own: the benchmark's for step_time, else "BENCHMARK METRIC", and
/// "BENCHMARK [METRIC]" where another row has that name.
Json cases_of(const Report& report) {
  Json cases = Json::object();
  const auto params = distinguishing_params(report);
  for (const bool times : {true, false}) {  // their names are the benchmarks' own
    for (const Comparison& row : report.comparisons) {
      if ((row.metric.name == kStepTime.name) != times) {
        continue;
      }
      const std::string own = params.at(&row).empty() ? "" : " (" + params.at(&row) + ")";
      std::string name = row.workload + own + (times ? "" : " " + row.metric.name);
      for (std::string metric = row.metric.name; cases.contains(name);) {
        metric = "[" + metric + "]";
        name = row.workload + own + " " + metric;
      }
      cases[name] = {{"verdict", json_of(verdict_of(row))},
                     {"change", json_of(row.change)},
                     {"interval", json_of(row.interval)},
                     {"pairs", row.pairs}};
    }
  }
  return cases;
}

}  // namespace

std::string json_text(const Json& document) {
  return escape_unseen(document.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

void add_sentences(Json& object, const std::vector<Warning>& warnings, const std::string& what) {
  const std::vector<std::string> texts = sentences(warnings);
  object[what + "s"] = texts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    object[what + "_details"][i]["text"] = texts[i];
  }
}

Json comparison_json(const Comparison& comparison) {
  Json json = json_of(comparison);
  add_for_readers(json, comparison);
  return json;
}

Json report_json(const Report& report) {
  Json json = json_of(report);
  json["schema"] = "perf-compare/report/2";
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    add_for_readers(json["comparisons"][i], report.comparisons[i]);
  }
  for (const auto& [because, workloads] : why_measured(report)) {
    json["why_measured"].push_back({{"because", because}, {"workloads", workloads}});
  }
  add_sentences(json, report.warnings);
  if (is_judged_elsewhere(report)) {
    json["cases"] = cases_of(report);
  }
  for (const char* side : {"base", "head"}) {
    if (json[side].is_object() && json[side]["kind"] == to_string(SideKind::files)) {
      json[side]["committed_at"] = nullptr;
    }
  }
  return json;
}

}  // namespace perf::reporter
