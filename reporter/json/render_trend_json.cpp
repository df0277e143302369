#include <cstddef>
#include <string>

#include "reporter/escape/visible.h"
#include "reporter/json/trend_series.h"
#include "reporter/render.h"
#include "reporter/trend/findings.h"

namespace perf {

static void fields(JsonWriter& visit, const Baseline& record) {
  PERF_FIELDS(name, oid, reason)
  visit.or_null("pinned_at", record.pinned_at);
}

static void fields(JsonWriter& visit, const FalseAlarmRate& record) {
  PERF_FIELDS(per_1000_points, points, alarms, series, alarmed, expected, per_1000_points_nightly,
              nightly_points, nightly_alarms)
}

/// Everything but the series, and what needs more than its own record.
static void fields(JsonWriter& visit, const TrendReport& record) {
  origin_fields(visit, record);
  PERF_FIELDS(id, head, line, measured, size, policy, alert_threshold, environments, baselines,
              false_alarms, visible_in_half, visible_in_all, reproduce)
  visit("warning_details", record.warnings);
}

namespace {

Json commits_json(const TrendReport& report) {
  Json list = Json::array();
  for (std::size_t i = 0; i < report.commits.size(); ++i) {
    const Revision& commit = report.commits[i];
    JsonWriter visit(list.emplace_back());
    visit("oid", commit.oid);
    visit("subject", commit.subject);
    visit("author", commit.author);
    visit.time("committed_at", commit.committed_at);
    visit("position",
          i < report.positions.size() ? std::optional(report.positions[i]) : std::nullopt);
  }
  return list;
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

Json frame_json(const TrendReport& report) {
  Json json = json_of(report);
  json["schema"] = "perf-compare/trend/1";
  json["points_wanted"] = report.points_wanted > 0 ? Json(report.points_wanted) : Json(nullptr);
  json["commits"] = commits_json(report);
  json["alerts"] = reporter::alerts_json(report);
  json["machine_events"] = reporter::machine_events_json(report);
  json["summary"] = summary_json(report);
  Json& confirmations = json["confirmations"] = Json::array();
  for (const Report& comparison : report.confirmations) {
    confirmations.push_back(reporter::report_json(comparison));
  }
  reporter::add_sentences(json, report.warnings);
  return json;
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
