#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "reporter/escape/markup.h"
#include "reporter/escape/visible.h"
#include "reporter/html/trend_series_list.h"
#include "reporter/text/wording.h"
#include "schema/revision.h"
#include "schema/text/lists.h"

namespace perf::reporter::html {
namespace {

constexpr std::size_t kSubject = 100;  ///< columns

std::string text(const std::string& value) {
  return script_json(nlohmann::json(visible(value)).dump());
}

/// Seven digits: finer than what a picture shows.
std::string number_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.7g}", value) : "0";
}

/// "[a,b,c]" of what `item` makes of each.
std::string list(const auto& things, const auto& item) {
  std::string json = "[";
  for (const auto& thing : things) {
    json += json.size() > 1 ? "," : "";
    json += item(thing);
  }
  return json + "]";
}

std::string sign(const HistorySign& sign) {
  return "[" + number_text(sign.position) + "," + text(sign.name) + "," + text(sign.text) + "]";
}

std::string mark(const HistoryMark& mark) {
  return "[" + number_text(mark.at.position) + "," + number_text(mark.at.value) + "," +
         text(mark.kind) + "," + (mark.fresh ? "1" : "0") + "," + text(mark.change) + "," +
         text(mark.text) + "]";
}

std::string level(const HistoryLevel& level) {
  return "[" + number_text(level.from) + "," + number_text(level.to) + "," +
         number_text(level.value) + "," + number_text(level.noise) + "]";
}

std::string point(const HistoryPoint& point) {
  return "[" + number_text(point.position) + "," + number_text(point.value) + "]";
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

constexpr int kWholeDigits = 6;
constexpr int kMostWholeDigits = 15;  ///< of whole numbers that a double holds exactly

/// Digits before the point of a number that is not 0: 3 of 412, 0 of 0.412.
int digits_of(double value) {
  return static_cast<int>(std::floor(std::log10(value))) + 1;
}

/// Of an even number of values, the greater one in the middle.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

WholeNumbers whole_numbers(const std::vector<double>& values) {
  WholeNumbers whole;
  if (values.empty()) {
    return whole;
  }
  std::vector<double> sizes = mapped(values, [](const double value) { return std::abs(value); });
  const double largest = *std::ranges::max_element(sizes);
  if (largest > 0) {
    const double usual = median(sizes);
    whole.exponent = std::max(digits_of(usual > 0 ? usual : largest) - kWholeDigits,
                              digits_of(largest) - kMostWholeDigits);
  }
  // In two steps: 10^-exponent alone may be more than a double holds.
  const auto rounded = [&whole](double value) {
    const int half = whole.exponent / 2;
    return std::llround(value / std::pow(10, half) / std::pow(10, whole.exponent - half));
  };
  whole.base = rounded(median(values));
  for (const double value : values) {
    whole.rest.push_back(rounded(value) - whole.base);
  }
  return whole;
}

std::string line_data(const Histories& histories) {
  const TrendReport& report = histories.report();
  std::vector<HistorySpan> events;
  for (std::size_t i = 0; i < report.machine_events.size(); ++i) {
    events.push_back(histories.event(i));
  }
  const auto event = [](const HistorySpan& span) {
    return "[" + number_text(span.from) + "," + number_text(span.to) + "," + text(span.text) + "]";
  };
  return "{\"oid\":" +
         list(report.commits, [](const Revision& one) { return text(short_oid(one.oid)); }) +
         ",\"subject\":" +
         list(
             report.commits,
             [](const Revision& one) { return text(shortened(one_line(one.subject), kSubject)); }) +
         ",\"day\":" +
         list(report.commits, [](const Revision& one) { return text(date_of(one.committed_at)); }) +
         ",\"at\":" + steps_of(report.positions) + ",\"events\":" + list(events, event) + "}";
}

std::string series_data(const Histories& histories, const TrendSeries& series,
                        const SeriesHistory& history) {
  const std::vector<TrendPoint> points = drawn(histories, series);
  std::vector<double> values = mapped(points, &TrendPoint::value);
  const WholeNumbers whole = whole_numbers(values);
  const auto integer = [](auto value) { return std::to_string(value); };
  return "{\"label\":" + text(history.label) + ",\"factor\":" + number_text(history.scale.factor) +
         ",\"suffix\":" + text(history.scale.suffix) +
         ",\"decimals\":" + std::to_string(history.scale.decimals) +
         ",\"exponent\":" + std::to_string(whole.exponent) +
         ",\"base\":" + std::to_string(whole.base) + ",\"values\":" + list(whole.rest, integer) +
         ",\"at\":" + runs_of(points) + ",\"levels\":" + list(history.levels, level) +
         ",\"slope\":" + list(history.slope, point) + ",\"marks\":" + list(history.marks, mark) +
         ",\"pins\":" + list(history.pins, sign) + ",\"breaks\":" + list(history.breaks, sign) +
         ",\"events\":" + list(histories.events_of(series), integer) +
         ",\"beside\":" + list(histories.beside(series), integer) + "}";
}

}  // namespace perf::reporter::html
