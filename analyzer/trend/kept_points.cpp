#include <algorithm>
#include <cstddef>
#include <optional>

#include "analyzer/trend/internal.h"

namespace perf {
namespace {

/// Points beside a place: a level has so many, and so many are shown.
constexpr std::size_t kKeptBefore = std::max(kLevelPoints, kShownBefore);
constexpr std::size_t kKeptAfter = std::max(kLevelPoints, kShownPoints);

std::vector<std::size_t> needed_places(const MeasuredSeries& measured, const NeededPoints& asked) {
  const TrendSeries& series = measured.series;
  std::vector<std::size_t> places{series.points.size()};
  if (asked.since > 0) {
    places.push_back(series.points.place_of(
        std::ranges::lower_bound(series.points, asked.since, {}, &TrendPoint::commit)));
  }
  for (const std::vector<ChangePoint>* steps : {&series.change_points, &series.suspects}) {
    for (const ChangePoint& step : *steps) {
      places.push_back(step.index);
    }
  }
  for (const auto& [which, step] : measured.moved) {
    places.push_back(step.index);
  }
  if (series.trend) {
    places.insert(places.end(), {series.trend->begin, series.trend->end});
  }
  for (const Alert* alert : asked.alerts) {
    places.push_back(point_of(series, alert->oid, asked.commits));
    places.push_back(point_of(series, alert->previous_oid, asked.commits));
    if (const std::optional<AlertEvent> decision = decision_about(*alert)) {
      places.push_back(first_point_after(decision->at, asked.line, series.points));
    }
  }
  return places;
}

}  // namespace

void keep_needed_points(MeasuredSeries& measured, const NeededPoints& asked) {
  TrendPoints& points = measured.series.points;
  std::vector<bool> marked(points.size());
  for (const std::size_t place : needed_places(measured, asked)) {
    const std::size_t begin =
        place - std::min(place, place == points.size() ? kKeptAfter : kKeptBefore);
    const std::size_t end = std::min(place + kKeptAfter, points.size());
    std::fill(marked.begin() + static_cast<std::ptrdiff_t>(begin),
              marked.begin() + static_cast<std::ptrdiff_t>(end), true);
  }
  points.keep(marked);
  std::vector<PointOrigin>().swap(measured.origins);
}

}  // namespace perf
