#include "reporter/json/trend_series.h"

#include <array>
#include <charconv>
#include <cmath>

namespace perf::reporter {
namespace {

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
void append_points(std::string& text, const std::vector<TrendPoint>& points,
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

}  // namespace

void append_members(std::string& text, const Json& object, const std::string& extra,
                    const std::string& extra_text, const char* between) {
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

std::vector<std::string> quoted_oids(const TrendReport& report) {
  std::vector<std::string> oids;
  for (const Revision& commit : report.commits) {
    oids.push_back(one_line_of(commit.oid));
  }
  return oids;
}

void append_series(std::string& text, const TrendReport& report,
                   const std::vector<std::string>& oids, const TrendSeries& series) {
  Json json = identity_json(series);
  json["live"] = series.live;
  json["noise"] = json_of(series.noise);
  json["change_points"] = change_points_json(report, series.change_points);
  json["suspects"] = change_points_json(report, series.suspects);
  json["trend"] = slope_json(report, series);
  json["drifts"] = drifts_json(report, series.drifts);
  std::string points;
  append_points(points, series.points, oids);
  text += '{';
  append_members(text, json, "points", points);
  text += '}';
}

}  // namespace perf::reporter
