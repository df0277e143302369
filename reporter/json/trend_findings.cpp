#include <utility>

#include "reporter/json/records.h"
#include "reporter/json/trend_series.h"
#include "reporter/trend/findings.h"

namespace perf::reporter {
namespace {

/// State, id and story of an alert; a finding that is none has nulls.
void add_alert(Json& json, AlertState state, const std::string& id, const std::string& first_seen,
               const std::string& confirm) {
  json["state"] = to_string(state);
  json["id"] = text_or_null(id);
  json["first_seen"] = text_or_null(first_seen);
  json["confirm"] = text_or_null(confirm);
}

Json step_json(const TrendReport& report, const ChangePoint& step) {
  Json json{{"index", step.index},
            {"oid", oid_json(report, step.commit)},
            {"previous_oid", oid_json(report, step.previous)},
            {"commits", step.commits},
            {"change", json_number(step.change)},
            {"interval", json_of(std::optional<Interval>(step.interval))},
            {"before", json_number(step.before)},
            {"after", json_number(step.after)},
            {"noise_before", json_number(step.noise_before)},
            {"noise_after", json_number(step.noise_after)},
            {"worse", step.worse},
            {"machine_event", step.machine_event ? Json(*step.machine_event) : Json(nullptr)},
            {"confirmed_by", text_or_null(step.confirmed_by)},
            {"refuted_by", text_or_null(step.refuted_by)},
            {"facts", step.facts}};
  add_alert(json, step.state, step.alert_id, step.first_seen, step.confirm);
  return json;
}

Json drift_json(const TrendReport& report, const Drift& drift) {
  Json json{{"baseline", drift.baseline},
            {"oid", oid_json(report, drift.commit)},
            {"change", json_number(drift.change)},
            {"interval", json_of(drift.interval)},
            {"threshold", json_number(drift.threshold)},
            {"beyond", drift.beyond},
            {"worse", drift.worse}};
  add_alert(json, drift.state, drift.alert_id, drift.first_seen, drift.confirm);
  return json;
}

/// The commits that an open alert lies between.
std::pair<Json, Json> commits_of(const TrendReport& report, const Finding& finding) {
  const std::vector<TrendPoint>& points = finding.series->points;
  const auto at = [&](std::size_t index) {
    return index < points.size() ? oid_json(report, points[index].commit) : Json(nullptr);
  };
  switch (finding.kind) {
    case AlertKind::step:
      return {oid_json(report, finding.step->previous), oid_json(report, finding.step->commit)};
    case AlertKind::slope:
      return {oid_json(report, finding.slope->first), oid_json(report, finding.slope->last)};
    case AlertKind::drift:
      break;
  }
  return {oid_json(report, finding.drift->commit), at(points.size() - 1)};
}

Json open_alert_json(const TrendReport& report, const Finding& finding) {
  Json json = identity_json(*finding.series);
  auto [previous, commit] = commits_of(report, finding);
  json["kind"] = to_string(finding.kind);
  json["previous_oid"] = std::move(previous);
  json["oid"] = std::move(commit);
  json["commits"] = finding.step ? Json(finding.step->commits) : Json(nullptr);
  json["change"] = json_number(finding.change);
  json["interval"] = json_of(finding.interval);
  json["baseline"] = finding.drift ? Json(finding.drift->baseline) : Json(nullptr);
  json["confirmed_by"] = text_or_null(confirmed_by(finding));
  if (finding.step) {
    add_alert(json, finding.state, finding.step->alert_id, finding.step->first_seen,
              finding.step->confirm);
  } else if (finding.slope) {
    add_alert(json, finding.state, finding.slope->alert_id, finding.slope->first_seen,
              finding.slope->confirm);
  } else {
    add_alert(json, finding.state, finding.drift->alert_id, finding.drift->first_seen,
              finding.drift->confirm);
  }
  return json;
}

Json closed_alert_json(const TrendSeries& series, const ClosedAlert& closed) {
  const Alert& alert = closed.alert;
  Json json = identity_json(series);
  json["kind"] = to_string(alert.kind);
  json["previous_oid"] = text_or_null(alert.previous_oid);
  json["oid"] = text_or_null(alert.oid);
  json["commits"] = nullptr;
  json["change"] = json_number(alert.change);
  json["interval"] = nullptr;
  json["baseline"] = text_or_null(alert.baseline);
  json["confirmed_by"] = nullptr;
  for (const AlertEvent& event : alert.events) {
    if (event.news == AlertNews::confirmed) {
      json["confirmed_by"] = text_or_null(event.run_id);
    }
  }
  add_alert(json, closed.state, alert.id, alert.events.empty() ? "" : alert.events.front().at, "");
  return json;
}

Json members_json(const std::vector<Finding>& members) {
  Json list = Json::array();
  for (const Finding& member : members) {
    list.push_back({{"workload", member.series->key.workload},
                    {"params", json_of(member.series->key.params)},
                    {"metric", member.series->metric.name},
                    {"change", json_number(member.change)},
                    {"worse", member.worse}});
  }
  return list;
}

}  // namespace

Json oid_json(const TrendReport& report, std::uint32_t commit) {
  return commit < report.commits.size() ? Json(report.commits[commit].oid) : Json(nullptr);
}

Json identity_json(const TrendSeries& series) {
  const bool anchored = !series.key.anchor.empty();
  return {{"workload", series.key.workload},
          {"params", json_of(series.key.params)},
          {"metric", series.metric.name},
          {"unit", anchored ? "1" : series.metric.unit},
          {"better", series.metric.better == Better::lower ? "lower" : "higher"},
          {"environment", text_or_null(series.key.fingerprint)},
          {"anchor",
           anchored ? Json{{"name", text_or_null(series.anchor_name)}, {"oid", series.key.anchor}}
                    : Json(nullptr)}};
}

Json change_points_json(const TrendReport& report, const std::vector<ChangePoint>& steps) {
  Json list = Json::array();
  for (const ChangePoint& step : steps) {
    list.push_back(step_json(report, step));
  }
  return list;
}

Json slope_json(const TrendReport& report, const TrendSeries& series) {
  if (!series.trend) {
    return nullptr;
  }
  const Slope& slope = *series.trend;
  Json json{{"begin", slope.begin},
            {"end", slope.end},
            {"points", slope.points},
            {"first_oid", oid_json(report, slope.first)},
            {"last_oid", oid_json(report, slope.last)},
            {"per_commit", json_number(slope.per_commit)},
            {"total", json_number(slope.total)},
            {"interval", json_of(std::optional<Interval>(slope.interval))},
            {"worse", slope.worse}};
  add_alert(json, slope.state, slope.alert_id, slope.first_seen, slope.confirm);
  return json;
}

Json drifts_json(const TrendReport& report, const std::vector<Drift>& drifts) {
  Json list = Json::array();
  for (const Drift& drift : drifts) {
    list.push_back(drift_json(report, drift));
  }
  return list;
}

Json alerts_json(const TrendReport& report) {
  Json list = Json::array();
  for (const Finding& finding : findings_of(report)) {
    if (finding.state != AlertState::none) {
      list.push_back(open_alert_json(report, finding));
    }
  }
  for (const TrendSeries& series : report.series) {
    for (const ClosedAlert& closed : series.closed) {
      list.push_back(closed_alert_json(series, closed));
    }
  }
  return list;
}

Json machine_events_json(const TrendReport& report) {
  Json list = Json::array();
  const std::vector<Finding> findings = findings_of(report);
  for (const MachineEvent& event : report.machine_events) {
    list.push_back({{"environment", event.fingerprint},
                    {"members", members_json(members_of(findings, list.size()))},
                    {"previous_oid", oid_json(report, event.previous)},
                    {"first_oid", oid_json(report, event.first)},
                    {"last_oid", oid_json(report, event.last)},
                    {"moved", event.moved},
                    {"series", event.series},
                    {"change", json_number(event.change)},
                    {"facts", event.facts},
                    {"known", event.known},
                    {"confirm", text_or_null(event.confirm)}});
  }
  return list;
}

}  // namespace perf::reporter
