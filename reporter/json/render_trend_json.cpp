#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "reporter/escape/visible.h"
#include "reporter/json/trend_series.h"
#include "reporter/render.h"
#include "reporter/trend/findings.h"
#include "schema/text/lists.h"

namespace perf {

static void fields(JsonWriter& visit, const Baseline& record) {
  PERF_FIELDS(name, oid, reason)
  visit.or_null("pinned_at", record.pinned_at);
}

static void fields(JsonWriter& visit, const FalseAlarmRate& record) {
  PERF_FIELDS(per_1000_points, points, alarms, series, alarmed, expected, per_1000_points_nightly,
              nightly_points, nightly_alarms)
}

static void fields(JsonWriter& visit, const reporter::TrendCounts& record) {
  visit("new", record.fresh);
  PERF_FIELDS(known, recovered, withdrawn, refuted, reopened, ignored, confirmed, suspects,
              improved, moved, points)
}

/// Everything but the series, and what needs more than its own record.
static void fields(JsonWriter& visit, const TrendReport& record) {
  origin_fields(visit, record);
  PERF_FIELDS(id, head, line, measured, size, policy, alert_threshold, environments, baselines,
              false_alarms, visible_in_half, visible_in_all, findable_now, findable_in_week,
              reproduce)
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
  Json json = json_of(reporter::counts_of(report));
  json["machine_events"] = report.machine_events.size();
  json["series"] = report.series.size();
  return json;
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

template <typename Number>
void append_digits(std::string& text, Number value) {
  std::array<char, 32> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), result.ptr);
}

/// Appends a number with the digits that round-trip; what is none becomes null.
void append_number(std::string& text, double value) {
  if (std::isfinite(value)) {
    append_digits(text, value);
  } else {
    text += "null";
  }
}

/// [{"invocations":3,"oid":"...","value":0.412},...], keys sorted like everywhere. An object id is
/// quoted by JSON itself once a commit, not once a point.
void append_points(std::string& text, const TrendPoints& points,
                   const std::vector<std::string>& oids) {
  constexpr std::size_t kPointText = 100;  ///< characters, about
  text.reserve(text.size() + kPointText * points.size());
  text += '[';
  for (std::size_t i = 0; i < points.size(); ++i) {
    const TrendPoint& point = points[i];
    text += i == 0 ? "{\"invocations\":" : ",{\"invocations\":";
    append_digits(text, point.invocations);
    text += ",\"oid\":";
    text += point.commit < oids.size() ? oids[point.commit] : "null";
    text += ",\"value\":";
    append_number(text, point.value);
    text += '}';
  }
  text += ']';
}

/// Appends the members of an object, sorted, with one more that is JSON text already. Keys are our
/// own words. `between`: what separates members.
void append_members(std::string& text, const Json& object, const std::string& extra,
                    const std::string& extra_text, const char* between = ",") {
  const char* separator = "";
  bool open = true;
  const auto add = [&](const std::string& key, const std::string& value) {
    text += separator;
    text += '"' + key + "\":" + value;
    separator = between;
  };
  for (const auto& [key, value] : object.items()) {
    if (open && key > extra) {
      add(extra, extra_text);
      open = false;
    }
    add(key, one_line_of(value));
  }
  if (open) {
    add(extra, extra_text);
  }
}

/// The object ids of the report's commits, each as JSON text.
std::vector<std::string> quoted_oids(const TrendReport& report) {
  return mapped(report.commits, [](const Revision& commit) { return one_line_of(commit.oid); });
}

/// Appends one series as JSON, points and all, on one line. Written by hand, because a history has
/// a million points: through a tree of values they would take seconds and gigabytes.
void append_series(std::string& text, const TrendReport& report,
                   const std::vector<std::string>& oids, const TrendSeries& series) {
  Json json = reporter::identity_json(series);
  json["live"] = series.live;
  json["noise"] = json_of(series.noise);
  json["visible_step"] = json_of(series.visible_step);
  json["change_points"] = reporter::change_points_json(report, series.change_points);
  json["suspects"] = reporter::change_points_json(report, series.suspects);
  json["tails"] = reporter::change_points_json(report, series.tails);
  json["trend"] = reporter::slope_json(report, series);
  json["noise_changes"] = reporter::noise_changes_json(report, series);
  json["drifts"] = reporter::drifts_json(report, series.drifts);
  if (!report.tells_points) {
    text += one_line_of(json);
    return;
  }
  std::string points;
  append_points(points, series.points, oids);
  text += '{';
  append_members(text, json, "points", points);
  text += '}';
}

}  // namespace

std::string render_trend_json(const TrendReport& report) {
  const std::vector<std::string> oids = quoted_oids(report);
  std::string series = "[";
  for (const TrendSeries& one : report.series) {
    series += &one == report.series.data() ? "\n" : ",\n";
    append_series(series, report, oids, one);
  }
  series += "]";
  std::string text = "{";
  append_members(text, frame_json(report), "series", series, ",\n");
  text += "}\n";
  return reporter::escape_unseen(text);
}

}  // namespace perf
