#include <algorithm>
#include <cmath>
#include <optional>

#include "reporter/text/quantity.h"
#include "reporter/text/span_text.h"
#include "reporter/trend/findings.h"
#include "reporter/trend/histories.h"

namespace perf::reporter {
namespace {

constexpr double kNoises = 4;          ///< around a level: beyond it a point is an outlier
constexpr double kDrawnNoises = 2;     ///< what pictures show of it
constexpr double kLeastNoise = 0.001;  ///< as the detector's
constexpr double kRoomForAll = 3;      ///< the levels keep a third of the height

ValueRange around(const ValueRange& range, double value) {
  return {std::min(range.low, value), std::max(range.high, value)};
}

ValueRange of_points(const std::vector<HistoryPoint>& points) {
  const auto [low, high] = std::ranges::minmax(points, {}, &HistoryPoint::value);
  return {low.value, high.value};
}

ValueRange of_levels(const SeriesHistory& history, double noises) {
  const double first = history.levels.front().value;
  ValueRange range{first, first};
  for (const HistoryLevel& level : history.levels) {
    const double noise = noises * std::max(level.noise, kLeastNoise) * std::abs(level.value);
    range = around(around(range, level.value - noise), level.value + noise);
  }
  return range;
}

double span(const ValueRange& range) {
  return range.high - range.low;
}

constexpr std::size_t kSlopePieces = 16;  ///< a slope per point bends where commits were left out

/// Noise of the level that begins with change point `number`; 0: the one before all of them.
double noise_of(const TrendSeries& series, std::size_t number) {
  double noise = 0;
  if (!series.change_points.empty()) {
    noise = number == 0 ? series.change_points.front().noise_before
                        : series.change_points[number - 1].noise_after;
  }
  return std::isfinite(noise) && noise > 0 ? noise : series.noise;
}

/// Where the level that begins with change point `number` ends: at the next one, or where the slope
/// begins, which is no level.
std::size_t end_of(const TrendSeries& series, std::size_t number, std::size_t begin) {
  if (number < series.change_points.size()) {
    return series.change_points[number].index;
  }
  const bool level_before = series.trend && series.trend->begin > begin + 1;
  return level_before ? series.trend->begin : series.points.size();
}

void add_slope(const Histories& histories, const TrendSeries& series, SeriesHistory& history) {
  const std::size_t begin = std::min(series.trend->begin, series.points.size());
  const std::size_t end = std::min(series.trend->end, series.points.size());
  const std::optional<double> level = begin < end ? median_of(series, begin, end) : std::nullopt;
  if (!level || end - begin < 2 || !(series.trend->per_commit > -1)) {
    return;
  }
  const double middle = static_cast<double>(begin + end - 1) / 2;
  const std::size_t pieces = std::min(kSlopePieces, end - begin - 1);
  for (std::size_t piece = 0; piece <= pieces; ++piece) {
    const std::size_t i = begin + (end - 1 - begin) * piece / pieces;
    const double steps = static_cast<double>(i) - middle;
    history.slope.push_back({histories.position(series.points[i].commit),
                             *level * std::exp(steps * std::log1p(series.trend->per_commit))});
  }
}

constexpr TextLimits kMarkLimits{80, 160};

MarkKind kind_of(const ChangePoint& step) {
  if (step.state == AlertState::refuted) {
    return MarkKind::refuted;
  }
  if (step.machine_event && step.state == AlertState::none) {
    return MarkKind::event;
  }
  return step.worse ? MarkKind::worse : MarkKind::better;
}

/// "+12.4 % [+10.9, +13.8], new: 412 ms -> 463 ms at 210fedcba987 Use a map (Ada, 2026-01-31)".
std::string mark_text(const Histories& histories, const TrendSeries& series,
                      const ChangePoint& step, const std::string& what) {
  return change_text(step.change, step.interval) + ", " + what + ": " +
         prose_text({number(quantities(step.before, step.after, unit_of(series)))}, kMarkLimits) +
         " " + prose_text(place_phrase(histories.report(), step), kMarkLimits);
}

std::string word_for(const ChangePoint& step, MarkKind kind) {
  if (step.state != AlertState::none) {
    return std::string(to_string(step.state)) + " alert";
  }
  return kind == MarkKind::event   ? "in a machine event"
         : kind == MarkKind::worse ? "no alert"
                                   : "improved";
}

HistoryMark mark_of(const Histories& histories, const TrendSeries& series, const ChangePoint& step,
                    MarkKind kind, const std::string& word) {
  return {.at = {histories.position(step.commit), step.after},
          .kind = kind,
          .fresh = step.state == AlertState::fresh,
          .change = change_text(step.change),
          .text = mark_text(histories, series, step, word)};
}

}  // namespace

ValueRange value_range(const SeriesHistory& history) {
  if (history.points.empty()) {
    return {0, 1};
  }
  ValueRange range = of_points(history.points);
  if (!history.levels.empty()) {
    const ValueRange levels = of_levels(history, kNoises);
    if (span(levels) > 0 && span(range) > kRoomForAll * span(levels)) {
      range = levels;
    } else {
      const ValueRange bands = of_levels(history, kDrawnNoises);
      range = around(around(range, bands.low), bands.high);
    }
  }
  if (!history.beside.empty()) {
    const ValueRange others = of_points(history.beside);
    const ValueRange all = around(around(range, others.low), others.high);
    if (span(all) <= kRoomForAll * span(range)) {
      range = all;
    }
  }
  return range;
}

void add_levels(const Histories& histories, const TrendSeries& series, SeriesHistory& history) {
  std::size_t begin = 0;
  for (std::size_t number = 0; number <= series.change_points.size(); ++number) {
    const std::size_t end = std::min(end_of(series, number, begin), series.points.size());
    if (const std::optional<double> level = median_of(series, begin, end)) {
      history.levels.push_back({histories.position(series.points[begin].commit),
                                histories.position(series.points[end - 1].commit), *level,
                                noise_of(series, number)});
    }
    begin = std::max(begin, end);
  }
  if (series.trend) {
    add_slope(histories, series, history);
  }
}

void add_marks(const Histories& histories, const TrendSeries& series, SeriesHistory& history) {
  for (const ChangePoint& step : series.change_points) {
    const MarkKind kind = kind_of(step);
    history.marks.push_back(mark_of(histories, series, step, kind, word_for(step, kind)));
  }
  for (const ChangePoint& step : series.suspects) {
    if (is_open_suspect(step)) {
      history.marks.push_back(mark_of(histories, series, step, MarkKind::suspect, "suspect"));
    }
  }
  std::erase_if(history.marks,
                [](const HistoryMark& mark) { return !std::isfinite(mark.at.value); });
  std::ranges::stable_sort(history.marks, {}, [](const auto& mark) { return mark.at.position; });
}

}  // namespace perf::reporter
