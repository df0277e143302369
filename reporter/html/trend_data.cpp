#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "reporter/escape/markup.h"
#include "reporter/escape/visible.h"
#include "reporter/html/document.h"
#include "reporter/svg/pictures.h"
#include "reporter/text/wording.h"
#include "schema/revision.h"
#include "schema/text/lists.h"

namespace perf::reporter::html {
namespace {

constexpr std::size_t kSubject = 100;  ///< columns
constexpr double kValueSteps = 1e5;    ///< of the height of a picture, see history.js

std::string text(const std::string& value) {
  return script_json(nlohmann::json(visible(value)).dump());
}

/// Seven digits: finer than what a picture shows.
std::string number_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.7g}", value) : "0";
}

/// "[a,b,c]" of what `item` makes of each.
std::string list(const auto& things, const auto& item) {
  return "[" + perf::joined(things, ",", item) + "]";
}

std::string steps_of(const std::vector<std::uint32_t>& positions) {
  std::uint32_t last = 0;
  return list(positions, [&last](std::uint32_t position) {
    const std::int64_t step = std::int64_t{position} - std::int64_t{last};
    last = position;
    return std::to_string(step);
  });
}

/// The points that are drawn: values that are numbers, at commits that the report has.
std::vector<TrendPoint> drawn(const Histories& histories, const TrendSeries& series) {
  std::vector<TrendPoint> points;
  std::ranges::copy_if(series.points, std::back_inserter(points), [&](const TrendPoint& point) {
    return std::isfinite(point.value) && point.commit < histories.report().commits.size();
  });
  return points;
}

std::string runs_of(const std::vector<TrendPoint>& points) {
  std::vector<std::uint32_t> runs;
  for (const TrendPoint& point : points) {
    if (!runs.empty() && runs[runs.size() - 2] + runs.back() == point.commit) {
      ++runs.back();
    } else {
      runs.insert(runs.end(), {point.commit, 1});
    }
  }
  return list(runs, [](std::uint32_t value) { return std::to_string(value); });
}

}  // namespace

std::string line_data(const Histories& histories) {
  const TrendReport& report = histories.report();
  return "{\"oid\":" +
         list(report.commits, [](const Revision& one) { return text(short_oid(one.oid)); }) +
         ",\"subject\":" +
         list(
             report.commits,
             [](const Revision& one) { return text(shortened(one_line(one.subject), kSubject)); }) +
         ",\"day\":" +
         list(report.commits, [](const Revision& one) { return text(date_of(one.committed_at)); }) +
         ",\"at\":" + steps_of(report.positions) + "}";
}

std::string series_data(const Histories& histories, const TrendSeries& series,
                        const SeriesHistory& history) {
  const std::vector<TrendPoint> points = drawn(histories, series);
  const svg::Axis values = svg::history_axes(history).upwards;
  const double factor = history.scale.factor;
  return "{\"suffix\":" + text(history.scale.suffix) +
         ",\"decimals\":" + std::to_string(history.scale.decimals) + ",\"values\":" +
         list(points,
              [&](const TrendPoint& point) {
                const double share =
                    (point.value / factor - values.low) / (values.high - values.low);
                return number_text(std::round(share * kValueSteps));
              }) +
         ",\"at\":" + runs_of(points) + ",\"levels\":" +
         list(history.levels,
              [&](const HistoryLevel& level) {
                return "[" + number_text(level.from) + "," + number_text(level.to) + "," +
                       number_text(level.value / factor) + "]";
              }) +
         "}";
}

}  // namespace perf::reporter::html
