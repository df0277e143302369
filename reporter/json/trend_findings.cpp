#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "reporter/json/trend_series.h"
#include "reporter/json/values.h"
#include "reporter/trend/findings.h"

namespace perf {

static void fields(JsonWriter& visit, const AlertEvent& record) {
  PERF_FIELDS(news, at)
  visit.or_null("author", record.author);
  visit.or_null("reason", record.reason);
}

/// State, id and story of an alert; nulls for other findings.
static void alert_fields(JsonWriter& visit, const TrendFinding& record) {
  PERF_FIELDS(state)
  visit.or_null("id", record.alert_id);
  visit.or_null("first_seen", record.first_seen);
  visit.or_null("confirm", record.confirm);
  visit("decision", record.decision);
}

/// Null from a level of 0.
static std::optional<double> change_of(const TrendFinding& record) {
  return std::abs(record.change) < kFromZero ? std::optional(record.change) : std::nullopt;
}

static void fields(JsonWriter& visit, const ChangePoint& record) {
  visit("change", change_of(record));
  PERF_FIELDS(index, commits, interval, evidence, before, after, noise_before, noise_after, worse,
              machine_event, facts, same_program, changed_outside)
  visit("false_alarms_per_1000_points", record.false_alarms);
  visit.or_null("confirmed_by", record.confirmed_by);
  visit.or_null("refuted_by", record.refuted_by);
  alert_fields(visit, record);
}

static void fields(JsonWriter& visit, const Slope& record) {
  PERF_FIELDS(begin, end, points, per_commit, interval, evidence, worse)
  visit("total", record.change);
  alert_fields(visit, record);
}

static void fields(JsonWriter& visit, const Drift& record) {
  PERF_FIELDS(baseline, change, interval, evidence, threshold, beyond, worse)
  alert_fields(visit, record);
}

static void fields(JsonWriter& visit, const MachineEvent& record) {
  visit("environment", record.fingerprint);
  PERF_FIELDS(moved, series, change, facts, known, evidence, programs_changed)
  visit("false_alarms_per_1000_points", record.false_alarms);
  visit.or_null("confirm", record.confirm);
}

static void fields(JsonWriter& visit, const NoiseChange& record) {
  PERF_FIELDS(index, before, after)
}

}  // namespace perf

namespace perf::reporter {
namespace {

/// A commit's oid by its index; null where there is none.
Json oid_json(const TrendReport& report, std::uint32_t commit) {
  return commit < report.commits.size() ? Json(report.commits[commit].oid) : Json(nullptr);
}

/// Where the program changes, and how far from where the step was found; null where that is not
/// known, or it does not change.
Json border_json(const TrendReport& report, const ChangePoint& step) {
  return step.border ? Json{{"oid", oid_json(report, step.commit)},
                            {"previous_oid", oid_json(report, step.previous)},
                            {"moved", *step.border}}
                     : Json(nullptr);
}

/// `previous` and `last`: oids or null.
Json alert_json(const Finding& finding, Json previous, Json last, const std::string& baseline) {
  Json json = identity_json(*finding.series);
  json["kind"] = to_string(finding.kind);
  json["previous_oid"] = std::move(previous);
  json["oid"] = std::move(last);
  json["commits"] = finding.step ? Json(finding.step->commits) : Json(nullptr);
  json["border"] = nullptr;
  json["same_program"] = finding.step != nullptr && finding.step->same_program;
  json["baseline"] = text_or_null(baseline);
  JsonWriter visit(json);
  const TrendFinding& record = finding;
  visit("change", change_of(record));
  PERF_FIELDS(interval, evidence)
  visit("false_alarms_per_1000_points", record.false_alarms);
  visit.or_null("confirmed_by", record.confirmed_by);
  alert_fields(visit, record);
  return json;
}

Json open_alert_json(const TrendReport& report, const Finding& finding) {
  Json json =
      alert_json(finding, oid_json(report, finding.previous), oid_json(report, finding.commit),
                 finding.drift ? finding.drift->baseline : std::string());
  if (finding.step) {
    json["border"] = border_json(report, *finding.step);
  }
  return json;
}

Json closed_alert_json(const TrendSeries& series, const ClosedAlert& closed) {
  const Alert& alert = closed.alert;
  Finding finding{{}, alert.kind, &series};
  finding.state = closed.state;
  finding.change = alert.change;
  finding.alert_id = alert.id;
  finding.decision = decision_about(alert);
  for (const AlertEvent& event : alert.events) {
    if (event.news == AlertNews::confirmed) {
      finding.confirmed_by = event.run_id;
    }
  }
  if (!alert.events.empty()) {
    finding.first_seen = alert.events.front().at;
  }
  Json json = alert_json(finding, text_or_null(alert.previous_oid), text_or_null(alert.oid),
                         alert.baseline);
  json["evidence"] = nullptr;
  return json;
}

Json members_json(const std::vector<Finding>& members) {
  Json list = Json::array();
  for (const Finding& member : members) {
    list.push_back({{"workload", member.series->key.workload},
                    {"params", json_of(member.series->key.params)},
                    {"metric", member.series->metric.name},
                    {"change", json_of(change_of(member))},
                    {"worse", member.worse}});
  }
  return list;
}

}  // namespace

Json identity_json(const TrendSeries& series) {
  const bool anchored = !series.key.anchor.empty();
  Json json{{"workload", series.key.workload},
            {"params", json_of(series.key.params)},
            {"metric", series.metric.name},
            {"unit", anchored ? "1" : series.metric.unit},
            {"better", to_string(series.metric.better)},
            {"environment", text_or_null(series.key.fingerprint)},
            {"anchor",
             anchored ? Json{{"name", text_or_null(series.anchor_name)}, {"oid", series.key.anchor}}
                      : Json(nullptr)}};
  if (!series.key.outside.empty()) {
    json["outside"] = series.key.outside;
  }
  if (!series.key.host.empty()) {
    json["host"] = series.key.host;
  }
  return json;
}

Json change_points_json(const TrendReport& report, const std::vector<ChangePoint>& steps) {
  Json list = json_of(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    list[i]["oid"] = oid_json(report, steps[i].commit);
    list[i]["previous_oid"] = oid_json(report, steps[i].previous);
    list[i]["border"] = border_json(report, steps[i]);
  }
  return list;
}

Json slope_json(const TrendReport& report, const TrendSeries& series) {
  Json json = json_of(series.trend);
  if (series.trend) {
    json["first_oid"] = oid_json(report, series.trend->previous);
    json["last_oid"] = oid_json(report, series.trend->commit);
  }
  return json;
}

Json noise_changes_json(const TrendReport& report, const TrendSeries& series) {
  Json list = json_of(series.noise_changes);
  for (std::size_t i = 0; i < series.noise_changes.size(); ++i) {
    list[i]["oid"] = oid_json(report, series.noise_changes[i].commit);
    list[i]["previous_oid"] = oid_json(report, series.noise_changes[i].previous);
  }
  return list;
}

Json drifts_json(const TrendReport& report, const std::vector<Drift>& drifts) {
  Json list = json_of(drifts);
  for (std::size_t i = 0; i < drifts.size(); ++i) {
    list[i]["oid"] = oid_json(report, drifts[i].previous);
  }
  return list;
}

Json alerts_json(const TrendReport& report) {
  Json list = Json::array();
  std::vector<Finding> alerts = chosen(findings_of(report), [](const Finding& finding) {
    return finding.state != AlertState::none;
  });
  std::ranges::stable_sort(alerts, std::greater<>(), &Finding::evidence);
  for (const Finding& alert : alerts) {
    list.push_back(open_alert_json(report, alert));
  }
  for (const TrendSeries& series : report.series) {
    for (const ClosedAlert& closed : series.closed) {
      list.push_back(closed_alert_json(series, closed));
    }
  }
  return list;
}

Json machine_events_json(const TrendReport& report) {
  Json list = json_of(report.machine_events);
  const std::vector<Finding> findings = findings_of(report);
  for (std::size_t i = 0; i < report.machine_events.size(); ++i) {
    const MachineEvent& event = report.machine_events[i];
    list[i]["members"] = members_json(members_of(findings, i));
    list[i]["previous_oid"] = oid_json(report, event.previous);
    list[i]["first_oid"] = oid_json(report, event.first);
    list[i]["last_oid"] = oid_json(report, event.last);
  }
  return list;
}

}  // namespace perf::reporter
