#include <string>

#include "reporter/escape/visible.h"
#include "reporter/json/records.h"
#include "reporter/json/trend_series.h"
#include "reporter/render.h"
#include "reporter/trend/findings.h"

namespace perf {
namespace {

using reporter::Json;
using reporter::json_number;
using reporter::json_of;

Json commits_json(const TrendReport& report) {
  Json list = Json::array();
  for (std::size_t i = 0; i < report.commits.size(); ++i) {
    const Revision& commit = report.commits[i];
    list.push_back(
        {{"oid", commit.oid},
         {"subject", commit.subject},
         {"author", commit.author},
         {"committed_at", reporter::json_time(commit.committed_at)},
         {"position", i < report.positions.size() ? Json(report.positions[i]) : Json(nullptr)}});
  }
  return list;
}

Json environments_json(const TrendReport& report) {
  Json list = Json::array();
  for (const Environment& environment : report.environments) {
    list.push_back({{"fingerprint", environment.fingerprint},
                    {"machine", environment.machine},
                    {"facts", environment.facts}});
  }
  return list;
}

Json baselines_json(const TrendReport& report) {
  Json list = Json::array();
  for (const Baseline& baseline : report.baselines) {
    list.push_back(
        {{"name", baseline.name},
         {"oid", baseline.oid},
         {"reason", baseline.reason},
         {"pinned_at", baseline.pinned_at.empty() ? Json(nullptr) : Json(baseline.pinned_at)}});
  }
  return list;
}

Json false_alarms_json(const FalseAlarmRate& rate) {
  return {{"per_1000_points", json_number(rate.per_1000_points)},
          {"points", rate.points},
          {"alarms", rate.alarms},
          {"series", rate.series},
          {"alarmed", rate.alarmed},
          {"expected", json_number(rate.expected)},
          {"per_1000_points_nightly", json_number(rate.per_1000_points_nightly)},
          {"nightly_points", rate.nightly_points},
          {"nightly_alarms", rate.nightly_alarms}};
}

Json summary_json(const TrendReport& report) {
  const reporter::TrendCounts counts = reporter::counts_of(report);
  return {{"new", counts.fresh},
          {"known", counts.known},
          {"recovered", counts.recovered},
          {"withdrawn", counts.withdrawn},
          {"refuted", counts.refuted},
          {"confirmed", counts.confirmed},
          {"suspects", counts.suspects},
          {"improved", counts.improved},
          {"moved", counts.moved},
          {"machine_events", report.machine_events.size()},
          {"series", report.series.size()},
          {"points", counts.points}};
}

Json confirmations_json(const TrendReport& report) {
  Json list = Json::array();
  for (const Report& comparison : report.confirmations) {
    list.push_back(json_of(comparison));
  }
  return list;
}

/// Everything but the series.
Json frame_json(const TrendReport& report) {
  const bool dated = !report.generated_at.empty();
  return {{"schema", "perf-compare/trend/1"},
          {"id", report.id},
          {"generated_at", dated ? Json(report.generated_at) : Json(nullptr)},
          {"tool", {{"version", report.tool_version}}},
          {"head", json_of(report.head)},
          {"line", report.line},
          {"measured", report.measured},
          {"size", report.size},
          {"policy", json_of(report.policy)},
          {"alert_threshold", json_number(report.alert_threshold)},
          {"points_wanted", report.points_wanted > 0 ? Json(report.points_wanted) : Json(nullptr)},
          {"environments", environments_json(report)},
          {"baselines", baselines_json(report)},
          {"commits", commits_json(report)},
          {"alerts", reporter::alerts_json(report)},
          {"machine_events", reporter::machine_events_json(report)},
          {"false_alarms", false_alarms_json(report.false_alarms)},
          {"summary", summary_json(report)},
          {"confirmations", confirmations_json(report)},
          {"warnings", reporter::warning_texts(report.warnings)},
          {"warning_details", reporter::warning_details(report.warnings)},
          {"reproduce", report.reproduce}};
}

}  // namespace

std::string render_trend_json(const TrendReport& report) {
  const std::vector<std::string> oids = reporter::quoted_oids(report);
  std::string series = "[";
  for (const TrendSeries& one : report.series) {
    series += &one == report.series.data() ? "\n" : ",\n";
    reporter::append_series(series, report, oids, one);
  }
  series += "]";
  std::string text = "{";
  reporter::append_members(text, frame_json(report), "series", series, ",\n");
  text += "}\n";
  return reporter::escape_unseen(text);
}

}  // namespace perf
